package dev.superstep.cli.repl;

import dev.superstep.agent.run.Review;
import java.util.Optional;

/// Whoever answers the questions of what a cell calls. An empty answer means that nobody does now.
interface SessionPerson {
  /// Decides on a call.
  Optional<Review.Decision> decide(Review.Action call);

  /// Answers a question.
  ///
  /// @param form of the answer, such as `String`
  Optional<String> answer(String question, String form);

  /// Nobody is there.
  static SessionPerson nobody() {
    return new SessionPerson() {
      @Override
      public Optional<Review.Decision> decide(Review.Action call) {
        return Optional.empty();
      }

      @Override
      public Optional<String> answer(String question, String form) {
        return Optional.empty();
      }
    };
  }
}
