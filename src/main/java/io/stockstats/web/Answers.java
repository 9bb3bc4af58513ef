package io.stockstats.web;

import io.stockstats.query.Answer;
import io.stockstats.query.Answer.Found;

/** Turns answers that are not found into problems. */
final class Answers {

    private Answers() {}

    static <T> Found<T> found(Answer<T> answer) {
        return answer.fold(
                found -> found,
                unknown -> {
                    throw new ProblemException(
                            Problem.of(404, "No partition knows the ticker " + unknown.ticker() + "."));
                },
                unavailable -> {
                    throw new ProblemException(Problem.of(503, unavailable.why()));
                });
    }
}
