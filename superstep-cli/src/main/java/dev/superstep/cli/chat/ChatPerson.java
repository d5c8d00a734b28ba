package dev.superstep.cli.chat;

import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.json.Json;
import java.util.Optional;

/// Whoever answers the questions of a turn. An empty answer means that nobody does now.
interface ChatPerson {
  /// Decides on a tool call.
  Optional<Review.Decision> decide(Review.Action call);

  /// Answers a question.
  ///
  /// @param words the question in the program's words
  Optional<Json> answer(Interrupt question, String words);

  /// Nobody is there.
  static ChatPerson nobody() {
    return new ChatPerson() {
      @Override
      public Optional<Review.Decision> decide(Review.Action call) {
        return Optional.empty();
      }

      @Override
      public Optional<Json> answer(Interrupt question, String words) {
        return Optional.empty();
      }
    };
  }
}
