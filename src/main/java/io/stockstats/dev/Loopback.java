package io.stockstats.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** The TCP ports of 127.0.0.1. Its answers hold for a moment only: another process may take a port right after. */
final class Loopback {

    static final String HOST = "127.0.0.1";

    private Loopback() {}

    /** Whether {@code port} can be listened on. */
    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            // Connections of an earlier listener that are winding down do not count.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(HOST), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Any port that can be listened on. */
    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("No free port", e);
        }
    }
}
