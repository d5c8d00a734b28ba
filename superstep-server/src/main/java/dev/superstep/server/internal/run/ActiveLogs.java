package dev.superstep.server.internal.run;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The streams of the runs that this process works on. Safe for many threads.
final class ActiveLogs {
  private final ConcurrentHashMap<String, RunLog> byRun = new ConcurrentHashMap<>();

  void add(String run, RunLog log) {
    byRun.put(run, log);
  }

  void remove(String run, RunLog log) {
    byRun.remove(run, log);
  }

  Optional<RunLog> find(String run) {
    return Optional.ofNullable(byRun.get(run));
  }
}
