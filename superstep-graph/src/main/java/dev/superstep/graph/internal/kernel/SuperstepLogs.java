package dev.superstep.graph.internal.kernel;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.node.SuperstepLog;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// The logs of one superstep. They are stored among the steps of its tasks, as if they were those
/// of a task. Safe for many threads.
public final class SuperstepLogs {
  /// In the place of a task; no task's id looks like this.
  public static final String MARK = "log";

  private final Map<String, Json> known;
  // Guarded by this.
  private Map<String, Json> added = Map.of();
  private final String owner;
  private final BiConsumer<String, Json> writer;

  /// @param owner the task, if the log is of one that runs ahead of its superstep
  private SuperstepLogs(
      Map<String, Map<String, Json>> steps, String owner, BiConsumer<String, Json> keeper) {
    var before = steps.isEmpty() ? Map.<String, Json>of() : steps.getOrDefault(MARK, Map.of());
    // Keys end in numbers of one length: so this is the order in which tasks added them.
    this.known = before.isEmpty() ? before : new TreeMap<>(before);
    this.owner = owner;
    this.writer = keeper;
  }

  /// Returns the logs of a superstep that is saved.
  ///
  /// @param steps the entries that earlier runs of it saved
  /// @param owner the task, if the log is of one that runs ahead of its superstep
  /// @param keeper keeps what is added, by its key
  public static SuperstepLogs persistent(
      Map<String, Map<String, Json>> steps, String owner, BiConsumer<String, Json> keeper) {
    return new SuperstepLogs(steps, owner, keeper);
  }

  /// Returns the logs of a superstep that is not saved, or only read.
  public static SuperstepLogs inMemory(Map<String, Map<String, Json>> steps) {
    return new SuperstepLogs(steps, "", (_, _) -> {});
  }

  public <T> SuperstepLog<T> log(String name, Class<T> type) {
    return new Log<>(name + "/", Codec.of(type));
  }

  private String add(String prefix, Json entry) {
    String key;
    synchronized (this) {
      if (added.isEmpty()) added = new LinkedHashMap<>();
      key = "%s%s%08d".formatted(prefix, owner, known.size() + added.size());
      added.put(key, entry);
    }
    writer.accept(key, entry);
    return key;
  }

  private final class Log<T> implements SuperstepLog<T> {
    private final String prefix;
    private final Codec<T> codec;

    Log(String prefix, Codec<T> codec) {
      this.prefix = prefix;
      this.codec = codec;
    }

    @Override
    public String add(T entry) {
      return SuperstepLogs.this.add(prefix, codec.encode(entry));
    }

    @Override
    public Map<String, T> entries() {
      var all = new LinkedHashMap<String, T>();
      known.forEach((key, entry) -> put(key, entry, all));
      synchronized (SuperstepLogs.this) {
        added.forEach((key, entry) -> put(key, entry, all));
      }
      return all;
    }

    private void put(String key, Json entry, Map<String, T> all) {
      if (key.startsWith(prefix)) all.put(key, codec.decode(entry));
    }
  }
}
