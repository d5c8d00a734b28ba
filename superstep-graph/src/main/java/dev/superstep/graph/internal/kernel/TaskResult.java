package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Memory;
import dev.superstep.checkpoint.Signal;
import dev.superstep.state.Write;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The result of a task.
public sealed interface TaskResult {
  /// It returned.
  ///
  /// @param writes to its own graph; if it hands off, those that are to reach the outer graph
  /// @param signal what it says of itself, or null if it did not converge
  /// @param left the memories that the subgraph of the task leaves, by path, or null if that did
  ///   not run or does not remember
  record Finished(
      List<Write> writes, Next next, @Nullable Signal signal, @Nullable Map<String, Memory> left)
      implements TaskResult {
    /// Nothing written and no command.
    public static final Finished NOTHING = new Finished(List.of(), Next.EDGES);

    public Finished(List<Write> writes, Next next) {
      this(writes, next, null, null);
    }

    /// A result with writes, which is followed by the edges of its node.
    public static Finished writing(List<Write> writes) {
      return new Finished(writes, Next.EDGES);
    }

    /// Returns a copy with other writes.
    public Finished with(List<Write> other) {
      return new Finished(other, next, signal, left);
    }

    /// The question that it asked instead of letting anything follow, or null.
    public @Nullable Interrupt asked() {
      return next instanceof Next.Ask(var question) ? question : null;
    }
  }

  /// Returns whether the task finished and its own graph continues.
  default boolean isFollowed() {
    return this instanceof Finished finished && !(finished.next() instanceof Next.Leave);
  }

  /// The memories that the subgraph inside the task leaves, by path, or null.
  default @Nullable Map<String, Memory> left() {
    return null;
  }

  /// Returns a copy in which the subgraph inside the task leaves these memories.
  static TaskResult leaving(TaskResult end, @Nullable Map<String, Memory> memories) {
    if (memories == null || !(end instanceof Finished(var writes, var next, var signal, _))) {
      return end;
    }
    return new Finished(writes, next, signal, memories);
  }

  /// Returns whether a hand-off ends the graph in this superstep: some task handed off, and all
  /// finished.
  static boolean isLeaving(List<TaskResult> ends) {
    boolean leaving = false;
    for (var end : ends) {
      if (!(end instanceof Finished finished)) return false;
      leaving |= !finished.isFollowed();
    }
    return leaving;
  }

  /// It waits, and is to continue later.
  record Waiting(Wait on) implements TaskResult {
    public static Waiting asking(List<Interrupt> questions) {
      return new Waiting(new Wait.ForAnswers(questions));
    }

    public List<Interrupt> questions() {
      return on.questions();
    }
  }

  /// It threw.
  record Failed(Throwable error) implements TaskResult {}
}
