package dev.superstep.checkpoint;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.superstep.json.Json;
import java.time.Duration;
import java.util.Optional;

/// A node that is due in the next superstep.
///
/// @param argument what it was sent, if it was
/// @param task the id of its task, if that was due before and its checkpoint was replaced;
///   otherwise the id is made from the generation of the checkpoint
/// @param timeout how long one attempt may take, if it was sent with a limit of its own
public record PendingNode(
    String node,
    Activation activation,
    Optional<Json> argument,
    Optional<String> task,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Duration> timeout) {
  /// Without a limit of time of its own.
  public PendingNode(
      String node, Activation activation, Optional<Json> argument, Optional<String> task) {
    this(node, activation, argument, task, Optional.empty());
  }

  /// With a task of its own checkpoint.
  public PendingNode(String node, Activation activation, Optional<Json> argument) {
    this(node, activation, argument, Optional.empty());
  }

  /// Returns a copy with another activation and another form of the argument.
  public PendingNode with(Activation because, Optional<Json> form) {
    return new PendingNode(node, because, form, task, timeout);
  }

  /// Returns a copy with a task of its own checkpoint.
  public PendingNode anew() {
    return new PendingNode(node, activation, argument, Optional.empty(), timeout);
  }
}
