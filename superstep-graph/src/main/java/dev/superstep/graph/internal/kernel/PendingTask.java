package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.ValueOverLimit;
import dev.superstep.json.Json;
import dev.superstep.node.Target;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A node that runs in the next superstep, and why. Immutable.
public final class PendingTask {
  private final NodeSpec node;
  private final Activation activation;
  private final @Nullable Object argument;
  private final @Nullable String task;

  /// It as it is stored, from when it was first asked for: it may be stored more than once, and
  /// always costs O(argument) to make.
  private volatile @Nullable PendingNode stored;

  /// @param argument what it was sent, if it was
  public PendingTask(NodeSpec node, Activation activation, @Nullable Object argument) {
    this(node, activation, argument, null, null);
  }

  private PendingTask(
      NodeSpec node,
      Activation activation,
      @Nullable Object argument,
      @Nullable String task,
      @Nullable PendingNode stored) {
    this.node = node;
    this.activation = activation;
    this.argument = argument;
    this.task = task;
    this.stored = stored;
  }

  /// Returns a pending task that was stored.
  static PendingTask of(NodeSpec node, PendingNode stored, @Nullable Object argument) {
    return new PendingTask(node, stored.activation(), argument, stored.task().orElse(null), stored);
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

  /// Returns a copy whose task keeps this id, whatever checkpoint it runs from.
  PendingTask withId(String id) {
    return copy(activation, id);
  }

  /// Returns a task of the same node with the same argument, due again for another reason.
  PendingTask again(Activation because) {
    return copy(because, null);
  }

  /// A copy never encodes the argument again.
  private PendingTask copy(Activation because, @Nullable String id) {
    var known = stored;
    var copied =
        known == null
            ? null
            : new PendingNode(node.name(), because, known.argument(), Optional.ofNullable(id));
    return new PendingTask(node, because, argument, id, copied);
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
        && Objects.equals(task, other.task);
  }

  /// It as it is stored.
  public PendingNode stored() {
    var known = stored;
    if (known == null) {
      known = new PendingNode(node.name(), activation, encoded(), Optional.ofNullable(task));
      stored = known;
    }
    return known;
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
