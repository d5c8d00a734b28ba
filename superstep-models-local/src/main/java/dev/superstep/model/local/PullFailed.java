package dev.superstep.model.local;

import dev.superstep.json.SuperstepException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The weights of a model could not be fetched from any source.
public final class PullFailed extends SuperstepException {
  private final List<Attempt> attempts;

  /// A source that was tried, and why it failed.
  public record Attempt(String source, String reason) {}

  PullFailed(String message, List<Attempt> attempts, @Nullable Throwable cause) {
    super("model.pull-failed", message, cause);
    this.attempts = List.copyOf(attempts);
  }

  static PullFailed of(KnownModel model, List<Attempt> attempts) {
    var message = new StringBuilder("No source gave the weights of `" + model.name() + "`:");
    for (var attempt : attempts) {
      message.append("\n  ").append(attempt.source()).append(": ").append(attempt.reason());
    }
    message.append("\nFetch ").append(model.fileName()).append(" yourself and name the file.");
    return new PullFailed(message.toString(), attempts, null);
  }

  /// Returns the sources that were tried, in order.
  public List<Attempt> attempts() {
    return attempts;
  }
}
