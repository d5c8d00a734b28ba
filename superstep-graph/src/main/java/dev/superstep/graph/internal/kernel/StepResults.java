package dev.superstep.graph.internal.kernel;

import dev.superstep.json.Json;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The results of the side effects of one task, in this run and in earlier ones. They outlive the
/// runs of the task's node. Safe for many threads: an abandoned node may still be at work when it
/// runs again.
public final class StepResults {
  // A new one once there is more.
  private volatile Map<String, Json> results;
  private final Writer writer;

  /// Where results are saved.
  @FunctionalInterface
  public interface Writer {
    /// Saves a result, unless one exists already, and returns the one that stands.
    Json putIfAbsent(String key, Json result);

    /// Announces an effect of which nothing is saved yet.
    default void begin(String key) {}

    /// Reports that the saved result answers another request than the one that would be made now.
    default void differs(String key, String asked, String now) {}
  }

  public StepResults(Map<String, Json> known, Writer keeper) {
    this.results = known.isEmpty() ? Map.of() : new ConcurrentHashMap<>(known);
    this.writer = keeper;
  }

  public @Nullable Json find(String key) {
    return results.get(key);
  }

  /// Announces an effect of which nothing is saved yet.
  public void begin(String key) {
    writer.begin(key);
  }

  /// Reports that the saved result answers another request than the one that would be made now.
  public void differs(String key, String asked, String now) {
    writer.differs(key, asked, now);
  }

  /// Saves a result, and returns the one that stands: another process may have been first.
  public Json putIfAbsent(String key, Json result) {
    var standing = writer.putIfAbsent(key, result);
    results().put(key, standing);
    return standing;
  }

  /// Most tasks have no steps.
  private synchronized Map<String, Json> results() {
    if (results.isEmpty()) results = new ConcurrentHashMap<>();
    return results;
  }
}
