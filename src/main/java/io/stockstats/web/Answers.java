package io.stockstats.web;

import io.stockstats.query.Answer;
import io.stockstats.query.Answer.Found;
import io.stockstats.trade.Ticker;
import java.util.function.Function;

/** Turns answers that are not found into problems. */
final class Answers {

    private Answers() {}

    /** What was found of a ticker. */
    static <T> Function<Answer<T>, Found<T>> of(Ticker ticker) {
        return answer -> found(answer, "No partition knows the ticker " + ticker + ".");
    }

    /** What was found of all tickers. */
    static <T> Found<T> ofAll(Answer<T> answer) {
        return found(answer, "No partition knows a ticker.");
    }

    private static <T> Found<T> found(Answer<T> answer, String unknownText) {
        return answer.fold(
                found -> found,
                unknown -> {
                    throw new ProblemException(Problem.of(404, unknownText));
                },
                unavailable -> {
                    throw new ProblemException(Problem.of(503, unavailable.why()));
                });
    }
}
