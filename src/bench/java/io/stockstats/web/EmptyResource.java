package io.stockstats.web;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** What a request costs that asks for nothing: in the package that the profile {@code bench} makes, and in no other. */
@Path("/empty")
public final class EmptyResource {

    @GET
    public String nothing() {
        return "";
    }
}
