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
import dev.superstep.node.Send;
import dev.superstep.node.Update;
import dev.superstep.state.Write;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How a task ended.
public sealed interface TaskResult {
  /// It returned.
  ///
  /// @param gotos where its command leads, or null if it returned none and its edges count
  /// @param signal what it says of itself, or null if it did not converge
  /// @param asked what it asked instead of letting anything follow, or null
  /// @param left what the graph inside of the task remembers from now on, by path, or null if that
  ///   did not run or does not remember
  record Finished(
      List<Write> writes,
      @Nullable List<String> gotos,
      List<Send<?>> sends,
      @Nullable Signal signal,
      @Nullable Interrupt asked,
      @Nullable Map<String, Memory> left)
      implements TaskResult {
    /// Nothing written and no command.
    public static final Finished NOTHING = new Finished(List.of(), null, List.of());

    public Finished(List<Write> writes, @Nullable List<String> gotos, List<Send<?>> sends) {
      this(writes, gotos, sends, null, null, null);
    }

    Finished leaving(@Nullable Map<String, Memory> memories) {
      if (memories == null) return this;
      return new Finished(writes, gotos, sends, signal, asked, memories);
    }

    /// The result of a task that returned, unless it left its graph.
    ///
    /// @param task the task that returned it
    public static Finished of(NodeResult result, Task task) {
      return switch (result) {
        case NoUpdate() -> NOTHING;
        case Update(var writes) -> new Finished(writes, null, List.of());
        case Command(var update, var gotos, var sends) ->
            new Finished(update.writes(), gotos, sends);
        case Converge(var update, var signal) ->
            new Finished(update.writes(), null, List.of(), signal, null, null);
        case Ask<?, ?> ask ->
            new Finished(
                ask.update().writes(), null, List.of(), null, Interrupts.returned(task, ask), null);
        case HandOff _, EngineResult _ ->
            throw new IllegalArgumentException("it ends otherwise: " + result);
      };
    }
  }

  /// It returned what a graph around its own does next; its own graph ends.
  ///
  /// @param writes to its own graph that are to reach the graph around
  /// @param levels how many graphs are left
  /// @param command with the channels, nodes and targets of the graph that is reached
  /// @param left what the graph inside of the task remembers from now on, as in [Finished]
  record HandedOff(
      List<Write> writes, int levels, Finished command, @Nullable Map<String, Memory> left)
      implements TaskResult {
    HandedOff leaving(@Nullable Map<String, Memory> memories) {
      return memories == null ? this : new HandedOff(writes, levels, command, memories);
    }
  }

  /// What the graph inside of the task remembers from now on, by path, or null.
  default @Nullable Map<String, Memory> left() {
    return null;
  }

  /// The same, and the graph inside of the task has left this.
  static TaskResult leaving(TaskResult end, @Nullable Map<String, Memory> memories) {
    return switch (end) {
      case Finished finished -> finished.leaving(memories);
      case HandedOff handed -> handed.leaving(memories);
      case Waiting _, Failed _ -> end;
    };
  }

  /// It is to go on later.
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
