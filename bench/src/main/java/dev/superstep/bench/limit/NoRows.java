package dev.superstep.bench.limit;

import java.util.List;

/// Keeps nothing.
final class NoRows implements Rows {
  @Override
  public void add(Row row) {}

  @Override
  public Rows another() {
    return this;
  }

  @Override
  public Row last(String thread) {
    throw new IllegalStateException("nothing is kept of `" + thread + "`");
  }

  @Override
  public List<Row> page(String thread, int before, int limit) {
    return List.of();
  }
}
