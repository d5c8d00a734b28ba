package dev.superstep.bench.limit;

import dev.superstep.bench.limit.Rows.Row;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

/// Adds the rows of runs, and guarantees nothing.
record PlainRowStore(Rows rows) implements RowStore {
  @Override
  public Held begin(String thread, String next, Supplier<String> body) {
    return new Held(thread, 0, -1, "");
  }

  @Override
  public Held add(Held held, String next, String body) throws SQLException {
    rows.add(held.thread(), held.step() + 1, next, body);
    return held.at(held.step() + 1, body);
  }

  @Override
  public void end(Held held, String next, String body) throws SQLException {
    rows.add(held.thread(), held.step() + 1, next, body);
  }

  @Override
  public void ask(Held held, String question) {}

  @Override
  public Held answer(String thread, String answer) throws SQLException {
    var row = rows.last(thread);
    return new Held(thread, 0, row.step(), row.body());
  }

  @Override
  public Row last(String thread) throws SQLException {
    return rows.last(thread);
  }

  @Override
  public List<Row> page(String thread, int before, int limit) throws SQLException {
    return rows.page(thread, before, limit);
  }

  @Override
  public RowStore another() throws SQLException {
    return new PlainRowStore(rows.another());
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
