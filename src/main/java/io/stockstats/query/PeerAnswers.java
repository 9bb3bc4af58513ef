package io.stockstats.query;

import io.stockstats.store.Copy;
import io.stockstats.wire.UnknownFormatException;
import java.util.ArrayList;
import java.util.List;

/** Answers other instances: of what this one has itself, so that no question goes further than one hop. */
public final class PeerAnswers {

    private final Gathering.Here here;

    PeerAnswers(Gathering.Here here) {
        this.here = here;
    }

    /**
     * Answers one request.
     *
     * @param request as {@link HttpPeers} sends it
     * @throws IllegalArgumentException if it is none that this version understands
     */
    public byte[] answer(byte[] request) {
        PeerFormat.Request asked = read(request);
        List<Copy<Slice>> copies = new ArrayList<>();
        for (int partition : asked.partitions()) {
            here.ask(partition, asked.question()).ifPresent(copies::add);
        }
        return PeerFormat.reply(copies);
    }

    private static PeerFormat.Request read(byte[] request) {
        try {
            return PeerFormat.request(request);
        } catch (UnknownFormatException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
