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
  /// @param visible metadata that its thread must have, and gets if it is made
  /// @param request the body of a request for a run
  record ScheduledRun(
      String cron, Optional<String> thread, String user, ObjectNode visible, ObjectNode request) {}

  /// A request that may be kept for later.
  ///
  /// @param assistant the id of the assistant
  /// @param visible metadata that everything has which the principal sees
  record Admitted(String assistant, ObjectNode visible) {}

  /// Checks a request for a run before it is kept for later: that its assistant and thread are
  /// there and the principal may use them.
  ///
  /// @throws dev.superstep.server.internal.http.HttpFailure if it could not be started
  Admitted check(Call call, Optional<String> thread, JsonNode request);

  /// Creates a run as part of a transaction, which may be run again.
  ///
  /// @throws RuntimeException if that cannot be; the transaction is then undone
  void start(ServiceTransaction in, ScheduledRun run);
}
