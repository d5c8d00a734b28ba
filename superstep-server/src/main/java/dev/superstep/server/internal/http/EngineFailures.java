package dev.superstep.server.internal.http;

import dev.superstep.checkpoint.MissingCapability;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.AnswerRejected;
import dev.superstep.error.InvalidStateUpdate;
import dev.superstep.error.ThreadError;
import java.util.Optional;

/// The failures of the engine that a client can do something about, as answers.
final class EngineFailures {
  private EngineFailures() {}

  /// The answer to a failure, or empty if the client is not to know more than its id.
  static Optional<HttpFailure> of(Exception failure) {
    return switch (failure) {
      case ThreadBusy busy -> Optional.of(new HttpFailure(409, text(busy)));
      case ThreadError error -> {
        boolean isUnknown = error.reason() == ThreadError.Reason.UNKNOWN;
        yield Optional.of(new HttpFailure(isUnknown ? 404 : 409, text(error)));
      }
      case InvalidStateUpdate wrong -> Optional.of(new HttpFailure(422, text(wrong)));
      case AnswerRejected rejected -> Optional.of(new HttpFailure(422, text(rejected)));
      case MissingCapability missing -> Optional.of(new HttpFailure(501, text(missing)));
      case StoreFailed _ ->
          Optional.of(
              new HttpFailure(503, "The store does not answer; try again.")
                  .with("Retry-After", "1"));
      default -> Optional.empty();
    };
  }

  private static String text(Exception failure) {
    return String.valueOf(failure.getMessage());
  }
}
