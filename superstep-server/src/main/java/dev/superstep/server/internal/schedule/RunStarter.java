package dev.superstep.server.internal.schedule;

import dev.superstep.server.internal.http.Call;
import dev.superstep.service.ServiceTransaction;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Starts the runs of schedules. Safe for many threads.
public interface RunStarter {
  /// A run that is due.
  ///
  /// @param cron the id of its schedule
  /// @param thread where it runs; empty for a thread of its own, of which `on_completion` in the
  ///   request says whether it is kept
  /// @param user the id of the principal who made the schedule
  /// @param request the body of a request for a run
  record ScheduledRun(String cron, Optional<String> thread, String user, ObjectNode request) {}

  /// Checks a request for a run before it is kept for later: that its assistant and thread are
  /// there and the principal may use them.
  ///
  /// @return the id of the assistant
  /// @throws dev.superstep.server.internal.http.HttpFailure if it could not be started
  String check(Call call, Optional<String> thread, JsonNode request);

  /// Creates a run as part of a transaction, which may be run again.
  ///
  /// @throws RuntimeException if that cannot be; the transaction is then undone
  void start(ServiceTransaction in, ScheduledRun run);
}
