package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Memory;
import dev.superstep.checkpoint.Signal;
import dev.superstep.node.Ask;
import dev.superstep.node.Command;
import dev.superstep.node.Converge;
import dev.superstep.node.EngineResult;
import dev.superstep.node.HandOff;
import dev.superstep.node.NoUpdate;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
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

    /// The result of a task that returned, unless it left its graph.
    ///
    /// @param task the task that returned it
    public static Finished of(NodeResult result, Task task) {
      return switch (result) {
        case NoUpdate() -> NOTHING;
        case Update(var writes) -> writing(writes);
        case Command command -> new Finished(command.update().writes(), Next.Goto.of(command));
        case Converge(var update, var signal) ->
            new Finished(update.writes(), Next.EDGES, signal, null);
        case Ask<?, ?> ask ->
            new Finished(ask.update().writes(), new Next.Ask(Interrupts.returned(task, ask)));
        case HandOff _, EngineResult _ ->
            throw new IllegalArgumentException("it ends otherwise: " + result);
      };
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
