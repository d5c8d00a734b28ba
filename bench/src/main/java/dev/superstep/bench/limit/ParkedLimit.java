package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Parking;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Workload;
import java.io.IOException;
import java.sql.SQLException;

/// W5: threads that wait for an answer: a row when they begin to wait, one when they go on.
final class ParkedLimit implements Workload {
  @Override
  public void measure(Case what, Recorder out) throws Exception {
    Parking.measure(what, out, "rows", kind -> new Kept(Rows.open(kind)));
  }

  private record Kept(Rows rows) implements Parking.Threads {
    @Override
    public void park(int number) throws SQLException {
      rows.add("thread-" + number, 1, "ask", "1|thing " + number);
    }

    @Override
    public long resume(int number) throws SQLException {
      var thread = "thread-" + number;
      var row = rows.last(thread);
      int end = row.body().indexOf('|');
      long n = Long.parseLong(row.body().substring(0, end)) + 1;
      var about = row.body().substring(end);
      rows.add(thread, row.step() + 1, "", n + about);
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
