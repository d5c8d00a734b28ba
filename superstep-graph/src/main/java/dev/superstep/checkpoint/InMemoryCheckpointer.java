package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Keeps threads in memory, encoded, until the process ends. For tests and for runs whose loss does
/// not matter. Safe for many threads.
public final class InMemoryCheckpointer implements Checkpointer {
  private final Map<Lineage, Line> lines = new ConcurrentHashMap<>();

  /// An empty store.
  public InMemoryCheckpointer() {}

  /// All of one lineage. Guarded by its own monitor.
  private static final class Line {
    private final LinkedHashMap<String, Entry> entries = new LinkedHashMap<>();
    private final Map<String, LinkedHashMap<String, TaskRecord>> tasks = new HashMap<>();
    private final Map<String, LinkedHashMap<StepKey, StepRecord>> steps = new HashMap<>();
    private final Map<String, LinkedHashMap<String, Answer>> answers = new HashMap<>();
  }

  private record StepKey(String task, String key) {}

  private record Entry(Checkpoint checkpoint, Map<String, Cell> cells) {}

  /// A channel's content: whole, or the first `length` items of a log that later checkpoints share,
  /// or nothing.
  private record Cell(long version, Json whole, List<Json> log, int length) {
    private static final int WHOLE = -1;
    private static final int CLEARED = -2;

    static Cell of(long version, Json whole) {
      return new Cell(version, whole, List.of(), WHOLE);
    }

    static Cell cleared(long version) {
      return new Cell(version, Json.ofNull(), List.of(), CLEARED);
    }

    SavedChannel saved(String name) {
      SavedChannel.Content content =
          switch (length) {
            case WHOLE -> new SavedChannel.Content.Whole(whole);
            case CLEARED -> new SavedChannel.Content.Cleared();
            default -> new SavedChannel.Content.Items(log.subList(0, length));
          };
      return new SavedChannel(name, version, content);
    }

    Cell changed(long next, int kept, List<Json> added) {
      boolean extend = length >= 0 && kept == length && log.size() == length;
      var target = extend ? log : new ArrayList<>(log.subList(0, kept));
      target.addAll(added);
      return new Cell(next, Json.ofNull(), target, target.size());
    }
  }

  @Override
  public Optional<Saved> latest(Lineage lineage) {
    var line = line(lineage);
    synchronized (line) {
      return Optional.ofNullable(line.entries.lastEntry()).map(e -> saved(e.getValue()));
    }
  }

  @Override
  public Optional<Saved> byId(Lineage lineage, String id) {
    var line = line(lineage);
    synchronized (line) {
      return Optional.ofNullable(line.entries.get(id)).map(InMemoryCheckpointer::saved);
    }
  }

  @Override
  public List<Checkpoint> page(Lineage lineage, Optional<String> before, int limit) {
    var line = line(lineage);
    synchronized (line) {
      var newestFirst = line.entries.sequencedValues().reversed().stream().map(Entry::checkpoint);
      return before
          .map(id -> newestFirst.dropWhile(c -> !c.id().equals(id)).skip(1))
          .orElse(newestFirst)
          .limit(limit)
          .toList();
    }
  }

  @Override
  public boolean commit(Commit commit) {
    var line = line(commit.lineage());
    synchronized (line) {
      var head = Optional.ofNullable(line.entries.lastEntry());
      if (!head.map(Map.Entry::getKey).equals(commit.checkpoint().parent())) return false;
      var cells = new HashMap<>(head.map(e -> e.getValue().cells()).orElse(Map.of()));
      for (var change : commit.changes()) {
        cells.compute(change.name(), (_, old) -> change(change, old));
      }
      line.entries.put(commit.checkpoint().id(), new Entry(commit.checkpoint(), cells));
      return true;
    }
  }

  @Override
  public TaskRecord saveTask(Lineage lineage, String checkpoint, TaskRecord task) {
    var line = line(lineage);
    synchronized (line) {
      return line.tasks
          .computeIfAbsent(checkpoint, _ -> new LinkedHashMap<>())
          .merge(task.task(), task, (old, next) -> old.stands() ? old : next);
    }
  }

  @Override
  public List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
    var line = line(lineage);
    synchronized (line) {
      return List.copyOf(line.tasks.getOrDefault(checkpoint, new LinkedHashMap<>()).values());
    }
  }

  @Override
  public StepRecord saveStep(Lineage lineage, String checkpoint, StepRecord step) {
    var line = line(lineage);
    synchronized (line) {
      return line.steps
          .computeIfAbsent(checkpoint, _ -> new LinkedHashMap<>())
          .computeIfAbsent(new StepKey(step.task(), step.key()), _ -> step);
    }
  }

  @Override
  public List<StepRecord> steps(Lineage lineage, String checkpoint) {
    var line = line(lineage);
    synchronized (line) {
      return List.copyOf(line.steps.getOrDefault(checkpoint, new LinkedHashMap<>()).values());
    }
  }

  @Override
  public boolean answer(Lineage lineage, String checkpoint, Answer answer) {
    var line = line(lineage);
    synchronized (line) {
      return line.answers
              .computeIfAbsent(checkpoint, _ -> new LinkedHashMap<>())
              .putIfAbsent(answer.interrupt(), answer)
          == null;
    }
  }

  @Override
  public List<Answer> answers(Lineage lineage, String checkpoint) {
    var line = line(lineage);
    synchronized (line) {
      return List.copyOf(line.answers.getOrDefault(checkpoint, new LinkedHashMap<>()).values());
    }
  }

  @Override
  public void close() {}

  private Line line(Lineage lineage) {
    return lines.computeIfAbsent(lineage, _ -> new Line());
  }

  private static Saved saved(Entry entry) {
    var channels = new ArrayList<SavedChannel>();
    entry.cells().forEach((name, cell) -> channels.add(cell.saved(name)));
    return new Saved(entry.checkpoint(), channels);
  }

  private static Cell change(ChannelChange change, @org.jspecify.annotations.Nullable Cell old) {
    return switch (change.change()) {
      case ChannelChange.Change.Whole(var value) -> Cell.of(change.version(), value);
      case ChannelChange.Change.Cleared() -> Cell.cleared(change.version());
      case ChannelChange.Change.Items(var kept, var added) -> {
        var base = old == null ? new Cell(0, Json.ofNull(), new ArrayList<>(), 0) : old;
        yield base.changed(change.version(), kept, added);
      }
    };
  }
}
