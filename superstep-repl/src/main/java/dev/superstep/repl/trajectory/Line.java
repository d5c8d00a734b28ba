package dev.superstep.repl.trajectory;

import dev.superstep.json.Json;
import dev.superstep.model.Usage;
import dev.superstep.repl.record.CellRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A line of a trajectory's file. The names of its parts are stored.
///
/// @param v the version of the form: 1 had no runs and no data
/// @param seq from 1
/// @param run of the agent
/// @param parentRun the run that called it; empty if none did
/// @param kind `session`, `route`, `model_turn`, `cell`, `call`, `stdout`, `vars`, `budget`,
///   `cell_end`, `final` or `end`
/// @param cell the number of the cell, from 1; 0 for what belongs to none
/// @param call the number of the call in it, or of the turn, from 1; 0 for what is neither
/// @param name of what was called, of the model, the route or the reason of an end
/// @param code of the error, if there was one
/// @param digest of the arguments of a call, or of a cell's source
/// @param isBatch whether a call had several answers
/// @param blobs the digests of the texts that belong to it
/// @param data what else it tells
record Line(
    int v,
    int seq,
    @Nullable String run,
    @Nullable String parentRun,
    String kind,
    int cell,
    int call,
    String name,
    String code,
    String digest,
    boolean isBatch,
    List<String> blobs,
    Optional<Json> data) {
  static final int VERSION = 2;

  Line {
    blobs = List.copyOf(blobs);
  }

  /// The use of models by a turn or a call.
  ///
  /// @param items the calls of a batch
  record Took(Usage usage, long millis, int items) {}

  /// The length of an output.
  ///
  /// @param shown characters that the model saw, and that are kept
  /// @param printed characters in all
  record Lengths(long shown, long printed) {}

  /// The variables that a cell changed.
  record Variables(List<CellRecord.Changed> changed) {
    Variables {
      changed = List.copyOf(changed);
    }
  }

  /// The calls that a session has made so far, by kind.
  record Calls(Map<String, Integer> made) {
    Calls {
      made = Map.copyOf(made);
    }
  }

  /// The texts of a turn: what the model was told, and its reply.
  record Turn(String told, String reply) {}

  /// The end of a cell in the first version, which had no lines of its own for its parts.
  record EndOfFirstVersion(String output, long printed, List<CellRecord.Changed> changed) {
    EndOfFirstVersion {
      changed = List.copyOf(changed);
    }
  }
}
