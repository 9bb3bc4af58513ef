package io.stockstats.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/** The TCP ports of 127.0.0.1. Its answers hold for a moment only: another process may take a port right after. */
final class Loopback {

    static final String HOST = "127.0.0.1";

    private Loopback() {}

    /** Whether {@code port} can be listened on. */
    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            // Connections of an earlier listener that are winding down do not count.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Any port that can be listened on. */
    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, address())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("No free port", e);
        }
    }

    /** {@link #HOST} itself, and not {@code ::1} where that is preferred. */
    static InetAddress address() {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("Four bytes are an address", e);
        }
    }
}
