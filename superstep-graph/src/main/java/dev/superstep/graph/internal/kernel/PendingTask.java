package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.ValueOverLimit;
import dev.superstep.json.Json;
import dev.superstep.node.Target;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A node that runs in the next superstep, and why. Immutable.
public final class PendingTask {
  private final NodeSpec node;
  private final Activation activation;
  private final @Nullable Object argument;
  private final @Nullable String task;
  private final @Nullable Duration timeout;

  /// It as it is stored, from when it was first asked for: it may be stored more than once, and
  /// always costs O(argument) to make.
  private volatile @Nullable PendingNode stored;

  /// @param argument what it was sent, if it was
  public PendingTask(NodeSpec node, Activation activation, @Nullable Object argument) {
    this(node, activation, argument, null);
  }

  /// @param timeout the limit of time that it was sent with, if it was
  PendingTask(
      NodeSpec node, Activation activation, @Nullable Object argument, @Nullable Duration timeout) {
    this.node = node;
    this.activation = activation;
    this.argument = argument;
    this.task = null;
    this.timeout = timeout;
  }

  /// @param stored its task and its limit of time
  private PendingTask(NodeSpec node, @Nullable Object argument, PendingNode stored) {
    this.node = node;
    this.activation = stored.activation();
    this.argument = argument;
    this.task = stored.task().orElse(null);
    this.timeout = stored.timeout().orElse(null);
    this.stored = stored;
  }

  /// A copy for another reason. Never encodes the argument again.
  private PendingTask(PendingTask other, Activation because, @Nullable String task) {
    this.node = other.node;
    this.activation = because;
    this.argument = other.argument;
    this.task = task;
    this.timeout = other.timeout;
    var known = other.stored;
    if (known != null) this.stored = stored(known.argument());
  }

  /// Returns a pending task that was stored.
  static PendingTask of(NodeSpec node, PendingNode stored, @Nullable Object argument) {
    return new PendingTask(node, argument, stored);
  }

  public NodeSpec node() {
    return node;
  }

  public Activation activation() {
    return activation;
  }

  /// The argument that was sent to the task, or null if there is none.
  public @Nullable Object argument() {
    return argument;
  }

  /// The id of its task, if it was due before in a checkpoint that was replaced.
  public @Nullable String task() {
    return task;
  }

  /// The limit of time for one attempt: that of the send, else that of the node; null if there is
  /// none.
  public @Nullable Duration timeout() {
    var policy = node.policy();
    if (timeout != null || policy == null) return timeout;
    return policy.timeout();
  }

  /// The limit of idle time for one attempt, or null if there is none.
  public @Nullable Duration idleTimeout() {
    var policy = node.policy();
    return policy == null ? null : policy.idleTimeout();
  }

  /// Returns whether an attempt has limited time.
  public boolean isTimed() {
    return timeout() != null || idleTimeout() != null;
  }

  /// Returns a copy whose task keeps this id, whatever checkpoint it runs from.
  PendingTask withId(String id) {
    return new PendingTask(this, activation, id);
  }

  /// Returns a task of the same node with the same argument, due again for another reason.
  PendingTask again(Activation because) {
    return new PendingTask(this, because, null);
  }

  /// Returns whether several tasks of its node may be due at once.
  boolean isOneOfSeveral() {
    return node.hasArgument() || activation instanceof Activation.Resumed;
  }

  /// Returns whether it waits until nothing else is due. One that was asked has waited before.
  boolean isDeferred() {
    return node.deferred && !(activation instanceof Activation.Resumed);
  }

  /// Returns whether both are the same activation of a node that takes no argument.
  public boolean isSameAs(PendingTask other) {
    return node == other.node
        && argument == null
        && other.argument == null
        && activation.equals(other.activation)
        && Objects.equals(task, other.task)
        && Objects.equals(timeout, other.timeout);
  }

  /// It as it is stored.
  public PendingNode stored() {
    var known = stored;
    if (known == null) {
      known = stored(encoded());
      stored = known;
    }
    return known;
  }

  private PendingNode stored(Optional<Json> form) {
    var id = Optional.ofNullable(task);
    return new PendingNode(node.name(), activation, form, id, Optional.ofNullable(timeout));
  }

  private Optional<Json> encoded() {
    if (!(node.body() instanceof NodeBody.OnArgument<?> body)) return Optional.empty();
    return Optional.of(encoded(body.target(), Objects.requireNonNull(argument)));
  }

  @SuppressWarnings("unchecked") // the argument of a due node came from a send to this target
  static <A> Json encoded(Target<A> target, Object argument) {
    var json = target.codec().encode((A) argument);
    return ValueOverLimit.checked(json, "argument of node", target.name());
  }

  @Override
  public String toString() {
    return node.name() + " (" + activation + ")";
  }
}
