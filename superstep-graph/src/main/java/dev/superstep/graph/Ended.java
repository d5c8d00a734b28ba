package dev.superstep.graph;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Signal;
import dev.superstep.state.Write;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a task ended.
sealed interface Ended {
  /// It returned.
  ///
  /// @param gotos where its command leads, or null if it returned none and its edges count
  /// @param signal what it says of itself, or null if it did not converge
  record Finished(
      List<Write> writes,
      @Nullable List<String> gotos,
      List<Send<?>> sends,
      @Nullable Signal signal)
      implements Ended {
    /// Nothing written and no command.
    static final Finished NOTHING = new Finished(List.of(), null, List.of());

    Finished(List<Write> writes, @Nullable List<String> gotos, List<Send<?>> sends) {
      this(writes, gotos, sends, null);
    }

    static Finished of(NodeResult result) {
      return switch (result) {
        case Nothing() -> NOTHING;
        case Update(var writes) -> new Finished(writes, null, List.of());
        case Command(var update, var gotos, var sends) ->
            new Finished(update.writes(), gotos, sends);
        case Converge(var update, var signal) ->
            new Finished(update.writes(), null, List.of(), signal);
        case HandOff _, Landed _ ->
            throw new IllegalArgumentException("it ends otherwise: " + result);
      };
    }
  }

  /// It returned what a graph around its own does next; its own graph ends.
  ///
  /// @param writes to its own graph that are to reach the graph around
  /// @param levels how many graphs are left
  /// @param command with the channels, nodes and targets of the graph that is reached
  record HandedOff(List<Write> writes, int levels, Finished command) implements Ended {}

  /// It waits for answers.
  record Waiting(List<Interrupt> interrupts) implements Ended {}

  /// It threw.
  record Failed(Throwable error) implements Ended {}
}
