package dev.superstep.server.extension;

import dev.superstep.json.Json;
import java.util.Optional;

/// Says what the [Subscriptions] of an extension are sent about runs. Safe for many threads.
///
/// It is called inside a transaction of the store, perhaps several times for one change: it must
/// not block and has no effects.
public interface RunNotices {
  /// The field of the metadata of runs by which the extension knows them; its value is the topic.
  /// The end of a run that has it is told with the state of the thread.
  String field();

  /// The notice of a change.
  ///
  /// @return the JSON for the webhooks; empty if they are not told
  Optional<Json> notice(RunChange change);
}
