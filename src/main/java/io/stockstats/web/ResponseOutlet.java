package io.stockstats.web;

import io.netty.channel.Channel;
import io.stockstats.live.LiveClient;
import io.stockstats.live.LiveHub;
import io.stockstats.live.Outlet;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;

/** An HTTP response as a stream's outlet, on its connection's own event loop. */
final class ResponseOutlet implements Outlet {

    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Context eventLoop;

    ResponseOutlet(HttpServerRequest request, Context eventLoop) {
        this.request = request;
        this.response = request.response();
        this.eventLoop = eventLoop;
    }

    /** Begins the response at once, so that the client knows that it is being served, and then the stream. */
    static void begin(RoutingContext context, LiveHub hub, Buffer first, Function<Outlet, LiveClient> stream) {
        HttpServerResponse response = context.response();
        response.setChunked(true).write(first);
        LiveClient client = stream.apply(new ResponseOutlet(context.request(), Vertx.currentContext()));
        // However it ends: by us, by the client, or by a connection that breaks.
        context.addEndHandler(ended -> hub.left(client));
        response.drainHandler(drained -> client.drained());
        if (response.closed()) {
            hub.left(client);
        }
    }

    @Override
    public void run(Runnable task) {
        eventLoop.runOnContext(now -> task.run());
    }

    @Override
    public boolean isFull() {
        return response.writeQueueFull();
    }

    @Override
    public void write(Buffer bytes) {
        // A write that fails is followed by the end of the connection, which is handled.
        var unused = response.write(bytes);
    }

    @Override
    public void end() {
        if (!response.ended() && !response.closed()) {
            var unused = response.end();
        }
    }

    @Override
    public void drop() {
        // At once: reset() and close() wait until all has been written, which this client does not take.
        Channel channel = ((ConnectionBase) request.connection()).channel();
        channel.unsafe().close(channel.voidPromise());
    }
}
