package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Callers;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Folder;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Workload;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// W14: ten rows a run. In memory each caller has its own map, in SQLite all share a connection, in
/// PostgreSQL they share ten.
final class ShortRunsLimit implements Workload {
  private static final int STEPS = 10;
  private static final int CONNECTIONS = 10;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    Callers.measure(what, out, "rows", STEPS, Pool::open);
  }

  private record Pool(List<Rows> all, BlockingQueue<Rows> free) implements Callers.Store {
    static Pool open(String kind, int callers) throws Exception {
      var all = new ArrayList<Rows>();
      int count =
          switch (kind) {
            case "sqlite" -> 1;
            case "postgres" -> Math.min(CONNECTIONS, callers);
            default -> callers;
          };
      for (int i = 0; i < count; i++) {
        all.add(
            switch (kind) {
              case "sqlite" -> SqlRows.sqlite(Folder.fresh());
              case "postgres" -> SqlRows.postgres("step_" + i);
              default -> new MemoryRows();
            });
      }
      return new Pool(all, new ArrayBlockingQueue<>(count, false, all));
    }

    @Override
    public long run(int caller, String name) throws Exception {
      long n = 0;
      for (int step = 0; step < STEPS; step++) {
        n++;
        var rows = free.take();
        try {
          rows.add(name, step, step + 1 < STEPS ? "count" : "", Long.toString(n));
        } finally {
          free.put(rows);
        }
      }
      return n;
    }

    @Override
    public void close() throws IOException, SQLException {
      for (var rows : all) rows.close();
    }
  }
}
