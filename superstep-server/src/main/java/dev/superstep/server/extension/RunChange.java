package dev.superstep.server.extension;

import dev.superstep.json.Json;
import java.util.List;

/// The start or the end of a run. Immutable.
///
/// @param runs those of the topic, the newest first, as the API shows them; the first one is that
///   which has changed
/// @param thread as the API shows it, with its status, metadata, open questions and error
/// @param values the state of the thread at the end; the JSON `null` at the start, of a run that
///   failed or was stopped, and if a notice with it was too large
public record RunChange(List<Json> runs, Json thread, Json values) {
  public RunChange {
    runs = List.copyOf(runs);
  }

  /// Returns a copy without the state.
  public RunChange withoutValues() {
    return new RunChange(runs, thread, Json.ofNull());
  }
}
