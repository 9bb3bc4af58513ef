package io.stockstats.web;

import io.smallrye.common.annotation.Blocking;
import io.stockstats.query.HttpPeers;
import io.stockstats.query.Instances;
import io.stockstats.query.PeerAnswers;
import io.stockstats.store.InstanceStatus;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** How the instances are, and what they ask each other. */
@Path("/")
@Blocking
@Produces(MediaType.APPLICATION_JSON)
public final class InstancesResource {

    private final Instances instances;
    private final PeerAnswers peerAnswers;

    InstancesResource(Instances instances, PeerAnswers peerAnswers) {
        this.instances = instances;
        this.peerAnswers = peerAnswers;
    }

    @GET
    @Path("/instances")
    @Tag(name = "Operation", description = "How the service is")
    @Operation(
            operationId = "instances",
            summary = "How every instance is",
            description =
                    "Which partitions it processes, with the trades not yet read; which it keeps a copy of, with the"
                            + " changelog records that the copy is behind; and how far its state is restored.")
    @APIResponse(responseCode = "200", description = "All instances, by name")
    public CompletionStage<All> instances() {
        return instances.all().thenApply(All::new);
    }

    /** All instances. */
    public record All(List<InstanceStatus> instances) {}

    @GET
    @Path(HttpPeers.INSTANCE)
    @Operation(hidden = true)
    public InstanceStatus instance() {
        return instances.here();
    }

    @POST
    @Path(HttpPeers.QUESTIONS)
    @Consumes(MediaType.APPLICATION_OCTET_STREAM)
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    @Operation(hidden = true)
    public byte[] answer(byte[] request) {
        try {
            return peerAnswers.answer(request);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(Problem.of(400, "Only instances ask here. " + e.getMessage()));
        }
    }
}
