package io.stockstats.store;

import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Where an instance answers others: host <em>and</em> port, since several instances may share a host. Known from the
 * stream's own metadata ({@code quarkus.kafka-streams.application-server} of each instance), never from a request.
 *
 * @param host a name or an IP address, without brackets
 * @param port the TCP port
 */
public record InstanceAddress(String host, int port) {

    static InstanceAddress of(HostInfo host) {
        return new InstanceAddress(host.host(), host.port());
    }

    /**
     * Reads {@code host:port}, as Kafka Streams does.
     *
     * @throws ConfigException if it is none
     */
    public static InstanceAddress parse(String endpoint) {
        HostInfo host = HostInfo.buildFromEndpoint(endpoint);
        if (host == null) {
            throw new ConfigException("an instance needs an address that others reach it by, as host:port");
        }
        return of(host);
    }

    /** For logs; no answer to a client holds it. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
