package dev.superstep.run;

import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// The start of a run: writes that are folded into the state before the first superstep, by the
/// channels' reducers, and, if the run should not start with what follows START, the nodes that run
/// first. Immutable.
///
/// @param writes in the order in which they are folded
/// @param starts the nodes that run first, instead of what follows START
/// @param sends what is sent to nodes that run first, instead of what follows START
public record Input(List<Write> writes, List<String> starts, List<Send<?>> sends) {
  public Input {
    writes = List.copyOf(writes);
    starts = List.copyOf(starts);
    sends = List.copyOf(sends);
  }

  private Input(List<Write> writes) {
    this(writes, List.of(), List.of());
  }

  /// No writes.
  public static Input none() {
    return new Input(List.of());
  }

  /// An input with one write.
  public static <W> Input of(Channel<?, W> channel, W value) {
    return new Input(Update.of(channel, value).writes());
  }

  /// Several writes to one channel.
  public static <W> Input all(Channel<?, W> channel, Collection<? extends W> values) {
    return new Input(Update.all(channel, values).writes());
  }

  /// These writes, then one more.
  public <W> Input and(Channel<?, W> channel, W value) {
    var both = new ArrayList<>(writes);
    both.addAll(Update.of(channel, value).writes());
    return with(both);
  }

  /// Returns a copy that runs these nodes first, instead of what follows START. A name that is no
  /// node of the graph, or that of a node that must be sent an argument, is an
  /// [dev.superstep.error.UnknownTarget] when the run begins.
  public Input startingAt(String... nodes) {
    if (nodes.length == 0) throw new IllegalArgumentException("nodes must name at least one");
    var all = new ArrayList<>(starts);
    all.addAll(List.of(nodes));
    return new Input(writes, all, sends);
  }

  /// Returns a copy that first sends this argument, instead of running what follows START; with
  /// [#startingAt], beside the nodes named there. Arguments are sent in the order of these calls.
  public <A> Input sending(Target<A> target, A argument) {
    var all = new ArrayList<>(sends);
    all.add(Send.to(target, argument));
    return new Input(writes, starts, all);
  }

  /// Returns a copy with other writes.
  public Input with(List<Write> other) {
    return new Input(other, starts, sends);
  }

  /// Returns whether the input itself names what runs first.
  public boolean isSeeded() {
    return !starts.isEmpty() || !sends.isEmpty();
  }
}
