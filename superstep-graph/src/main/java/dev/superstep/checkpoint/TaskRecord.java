package dev.superstep.checkpoint;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.superstep.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The end of a task, saved as soon as the task ended, before its superstep did. A task that
/// returned never runs again.
///
/// @param task deterministic: the same task of a generation has the same id in every process
public record TaskRecord(String task, String node, End end) {
  /// Returns whether this record is never replaced.
  public boolean isFinal() {
    return switch (end) {
      case End.Finished _, End.HandedOff _ -> true;
      case End.Waiting _, End.Failed _ -> false;
    };
  }

  /// The way in which a task ended.
  public sealed interface End {
    /// It returned.
    ///
    /// @param gotos the targets of its command; absent if it returned none
    /// @param signal what it says of itself; absent if it did not converge
    /// @param asked the question that it returned, if it did
    /// @param left the memories that the subgraph of the task leaves, by its path in [Memories];
    ///   absent if that did not run or does not remember
    record Finished(
        List<SavedWrite> writes,
        Optional<List<String>> gotos,
        List<SavedSend> sends,
        Optional<Signal> signal,
        Optional<Interrupt> asked,
        Optional<Map<String, Memory>> left)
        implements End {
      public Finished {
        writes = List.copyOf(writes);
        sends = List.copyOf(sends);
      }

      /// Without a signal.
      public Finished(
          List<SavedWrite> writes, Optional<List<String>> gotos, List<SavedSend> sends) {
        this(writes, gotos, sends, Optional.empty(), Optional.empty(), Optional.empty());
      }
    }

    /// It handed off: it returned what an outer graph does next.
    ///
    /// @param levels how many graphs are left, at least 1
    /// @param kept writes to its own graph that are to reach the outer graph
    /// @param command in the terms of the graph that is reached
    /// @param left the memories that the subgraph of the task leaves, as in [Finished]
    record HandedOff(
        int levels, List<SavedWrite> kept, Finished command, Optional<Map<String, Memory>> left)
        implements End {
      public HandedOff {
        kept = List.copyOf(kept);
      }
    }

    /// It waits for answers.
    record Waiting(List<Interrupt> interrupts) implements End {
      public Waiting {
        interrupts = List.copyOf(interrupts);
      }
    }

    /// It threw, and runs again when the thread is resumed.
    record Failed(String code, String message) implements End {}
  }

  /// A write in stored form.
  public sealed interface SavedWrite {
    /// The channel.
    String channel();

    /// Folded into the value.
    record Put(String channel, Json value) implements SavedWrite {}

    /// Replaces the value.
    record Overwrite(String channel, Json value) implements SavedWrite {}

    /// Takes out one entry.
    record Remove(String channel, String key) implements SavedWrite {}
  }

  /// A send in stored form.
  ///
  /// @param timeout how long one attempt may take, if the send limits it
  public record SavedSend(
      String node,
      Json argument,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Duration> timeout) {
    /// Without a limit of time of its own.
    public SavedSend(String node, Json argument) {
      this(node, argument, Optional.empty());
    }

    /// Returns a copy with another form of the argument.
    public SavedSend with(Json form) {
      return new SavedSend(node, form, timeout);
    }
  }
}
