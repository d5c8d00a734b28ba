package dev.superstep.bench.limit;

import dev.superstep.bench.limit.RowStore.Held;
import dev.superstep.bench.measure.Callers;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Workload;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// W14: ten rows a run, with guarantees one more for its input. In memory each caller has its own
/// map, or with guarantees all share one; in SQLite all share a connection, in PostgreSQL ten.
record ShortRunsLimit(RowStore.Opener opener) implements Workload {
  private static final int STEPS = 10;
  private static final int CONNECTIONS = 10;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    Callers.measure(
        what, out, "rows", STEPS, (kind, callers) -> Pool.of(opener.open(kind), kind, callers));
  }

  private record Pool(List<RowStore> all, BlockingQueue<RowStore> free) implements Callers.Store {
    static Pool of(RowStore first, String kind, int callers) throws SQLException {
      int count =
          switch (kind) {
            case "sqlite" -> 1;
            case "postgres" -> Math.min(CONNECTIONS, callers);
            default -> callers;
          };
      var all = new ArrayList<>(List.of(first));
      while (all.size() < count) all.add(first.another());
      return new Pool(all, new ArrayBlockingQueue<>(count, false, all));
    }

    /// One transaction.
    private interface Body {
      Held on(RowStore rows) throws SQLException;
    }

    private Held with(Body body) throws SQLException, InterruptedException {
      var rows = free.take();
      try {
        return body.on(rows);
      } finally {
        free.put(rows);
      }
    }

    @Override
    public long run(int caller, String name) throws Exception {
      var held = with(rows -> rows.begin(name, "count", () -> "0"));
      for (int n = 1; n < STEPS; n++) {
        var newest = held;
        var body = Long.toString(n);
        held = with(rows -> rows.add(newest, "count", body));
      }
      var newest = held;
      long n = Long.parseLong(newest.body()) + 1;
      with(rows -> {
        rows.end(newest, "", Long.toString(n));
        return newest;
      });
      return n;
    }

    @Override
    public void close() throws IOException, SQLException {
      for (var rows : all) rows.close();
    }
  }
}
