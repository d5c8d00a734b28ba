package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Parking;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Workload;
import java.io.IOException;
import java.sql.SQLException;

/// W5: threads that wait for an answer: a row when they begin to wait, one when they go on. With
/// guarantees, a thread is taken with its input, kept after its first step, and given back with its
/// question; it is taken again with the answer and given back with the last row.
record ParkedLimit(RowStore.Opener opener) implements Workload {
  @Override
  public void measure(Case what, Recorder out) throws Exception {
    Parking.measure(what, out, "rows", kind -> new Kept(opener.open(kind)));
  }

  private record Kept(RowStore rows) implements Parking.Threads {
    @Override
    public void park(int number) throws SQLException {
      var about = "thing " + number;
      var held = rows.begin("thread-" + number, "draft", () -> "0|" + about);
      held = rows.add(held, "ask", "1|" + about);
      rows.ask(held, about);
    }

    @Override
    public long resume(int number) throws SQLException {
      var held = rows.answer("thread-" + number, "1");
      int end = held.body().indexOf('|');
      long n = Long.parseLong(held.body().substring(0, end)) + 1;
      var about = held.body().substring(end);
      rows.end(held, "", n + about);
      return about.endsWith(" " + number) ? n : 0;
    }

    @Override
    public long bytes() throws Exception {
      return rows.bytes();
    }

    @Override
    public void close() throws IOException, SQLException {
      rows.close();
    }
  }
}
