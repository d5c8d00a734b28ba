package dev.superstep.bench.limit;

import dev.superstep.bench.limit.Rows.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Keeps guarded rows in memory. Safe for many threads.
final class GuardedMemoryRows implements RowStore {
  private final ConcurrentHashMap<String, Taken> threads = new ConcurrentHashMap<>();

  /// A thread and its lease, guarded by itself.
  private static final class Taken {
    private final List<Row> rows = new ArrayList<>(2);
    private long fence;
    private long until;
    private boolean isTaken;
    private @Nullable String question;
    private @Nullable String answer;

    void take(String thread) {
      long now = System.nanoTime();
      if (isTaken && now - until < 0) throw RowStore.refused(thread);
      isTaken = true;
      until = now + LEASE.toNanos();
      fence++;
    }

    Held add(Held held, String next, String body) {
      check(held);
      int step = rows.size();
      rows.add(new Row(held.thread(), step, next, body));
      return held.at(step, body);
    }

    void check(Held held) {
      if (!isTaken || held.fence() != fence || held.step() != rows.size() - 1) {
        throw RowStore.refused(held.thread());
      }
    }
  }

  @Override
  public Held begin(String thread, String next, Supplier<String> body) {
    var taken = threads.computeIfAbsent(thread, _ -> new Taken());
    synchronized (taken) {
      taken.take(thread);
      return taken.add(new Held(thread, taken.fence, -1, ""), next, body.get());
    }
  }

  @Override
  public Held add(Held held, String next, String body) {
    var taken = taken(held.thread());
    synchronized (taken) {
      return taken.add(held, next, body);
    }
  }

  @Override
  public void end(Held held, String next, String body) {
    var taken = taken(held.thread());
    synchronized (taken) {
      taken.add(held, next, body);
      taken.isTaken = false;
    }
  }

  @Override
  public void ask(Held held, String question) {
    var taken = taken(held.thread());
    synchronized (taken) {
      taken.check(held);
      taken.question = question;
      taken.answer = null;
      taken.isTaken = false;
    }
  }

  @Override
  public Held answer(String thread, String answer) {
    var taken = taken(thread);
    synchronized (taken) {
      taken.take(thread);
      if (taken.question != null && taken.answer == null) taken.answer = answer;
      var row = taken.rows.getLast();
      return new Held(thread, taken.fence, row.step(), row.body());
    }
  }

  @Override
  public Row last(String thread) {
    var taken = taken(thread);
    synchronized (taken) {
      return taken.rows.getLast();
    }
  }

  @Override
  public List<Row> page(String thread, int before, int limit) {
    var taken = taken(thread);
    synchronized (taken) {
      int end = Math.min(before, taken.rows.size());
      return List.copyOf(taken.rows.subList(Math.max(0, end - limit), end)).reversed();
    }
  }

  @Override
  public RowStore another() {
    return this;
  }

  private Taken taken(String thread) {
    var taken = threads.get(thread);
    if (taken == null) throw new IllegalArgumentException("no thread `" + thread + "`");
    return taken;
  }
}
