package io.stockstats.web;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Every error leaves as a problem, without names of classes. */
public final class ProblemMappers {

    private static final Logger LOG = Logger.getLogger(ProblemMappers.class);

    @ServerExceptionMapper
    public Response problem(ProblemException e) {
        return e.problem().response();
    }

    @ServerExceptionMapper
    public Response http(WebApplicationException e) {
        int status = e.getResponse().getStatus();
        Response problem = Problem.of(status).response();
        Object allow = e.getResponse().getHeaders().getFirst("Allow");
        return allow == null
                ? problem
                : Response.fromResponse(problem).header("Allow", allow).build();
    }

    /** Nobody is there any more to tell it to: the client has closed the connection, or this instance stops. */
    @ServerExceptionMapper
    public Response gone(IOException e) {
        LOG.debug("a request was given up", e);
        return Problem.of(503).response();
    }

    @ServerExceptionMapper
    public Response unexpected(Throwable e) {
        LOG.error("a request failed", e);
        return Problem.of(500).response();
    }
}
