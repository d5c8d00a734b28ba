package dev.superstep.lobe;

import dev.superstep.graph.NodePolicy;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// A part of a mind: it looks at few channels, decides whether it has something to say to them, and
/// is given a turn as far as the round's budget goes. Declared once, then put into [Lobes].
/// Immutable; each method returns a changed copy.
///
/// ```java
/// static final Lobe CRITIC =
///     Lobe.named("critic", Mind::criticise)
///         .reads(DRAFT)
///         .writes(REMARKS)
///         .when(seen -> seen.find(DRAFT).isPresent())
///         .priority(5)
///         .cost(2);
/// ```
public final class Lobe {
  private static final Pattern NAME = Pattern.compile("[a-z][a-zA-Z0-9_-]{0,39}");

  private final String name;
  private final Body body;
  private List<Channel<?, ?>> reads = List.of();
  private List<Channel<?, ?>> writes = List.of();
  private Predicate<LobeView> when = _ -> true;
  private int priority;
  private int cost = 1;
  private NodePolicy policy = NodePolicy.defaults();

  /// The code that a lobe runs in its turn.
  @FunctionalInterface
  public interface Body {
    /// Does it. Without anything to write, returns [Lobe#nothing].
    Update think(LobeContext lobe) throws Exception;
  }

  private Lobe(String name, Body body) {
    this.name = name;
    this.body = body;
  }

  /// A lobe that reads and writes nothing, is always active, and costs 1.
  ///
  /// @param name starts with a lower-case letter
  public static Lobe named(String name, Body body) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "Lobe name `%s` must start with a lower-case letter and hold at most 40 letters, digits, `_` or `-`."
              .formatted(name));
    }
    return new Lobe(name, Objects.requireNonNull(body, "body"));
  }

  /// Returns a result that writes nothing.
  public static Update nothing() {
    return new Update(List.of());
  }

  /// More channels that it sees. All others are hidden from it, unless it is granted to inspect
  /// one.
  public Lobe reads(Channel<?, ?>... channels) {
    var copy = copy();
    copy.reads = with(reads, channels);
    return copy;
  }

  /// More channels that it writes. Writing another is an error.
  public Lobe writes(Channel<?, ?>... channels) {
    var copy = copy();
    copy.writes = with(writes, channels);
    return copy;
  }

  /// Sets the condition for a turn in a round; unless set, the lobe always takes its turn. The
  /// condition must be free of side effects, and sees what the lobe sees.
  public Lobe when(Predicate<LobeView> shouldActivate) {
    var copy = copy();
    copy.when = shouldActivate;
    return copy;
  }

  /// Who is given a turn first: lobes with a higher number, then those that were added first. 0
  /// unless set.
  public Lobe priority(int rank) {
    var copy = copy();
    copy.priority = rank;
    return copy;
  }

  /// Sets the part of the round's budget that a turn costs; 1 unless set. A turn that costs 0 is
  /// always affordable.
  public Lobe cost(int budget) {
    if (budget < 0) throw new IllegalArgumentException("cost must not be negative, was " + budget);
    var copy = copy();
    copy.cost = budget;
    return copy;
  }

  /// Sets the policy for turns that fail or take too long. Its priority is that of the lobe.
  public Lobe policy(NodePolicy ifItFails) {
    var copy = copy();
    copy.policy = ifItFails;
    return copy;
  }

  /// The name.
  public String name() {
    return name;
  }

  Body body() {
    return body;
  }

  List<Channel<?, ?>> reads() {
    return reads;
  }

  List<Channel<?, ?>> writes() {
    return writes;
  }

  boolean isActive(LobeView view) {
    return when.test(view);
  }

  int priority() {
    return priority;
  }

  int cost() {
    return cost;
  }

  NodePolicy policy() {
    return policy.priority(priority);
  }

  private static List<Channel<?, ?>> with(List<Channel<?, ?>> before, Channel<?, ?>... more) {
    var all = new ArrayList<>(before);
    all.addAll(List.of(more));
    return List.copyOf(all);
  }

  private Lobe copy() {
    var copy = new Lobe(name, body);
    copy.reads = reads;
    copy.writes = writes;
    copy.when = when;
    copy.priority = priority;
    copy.cost = cost;
    copy.policy = policy;
    return copy;
  }

  @Override
  public String toString() {
    return "Lobe[" + name + ", priority " + priority + ", cost " + cost + "]";
  }
}
