package dev.superstep.bench.limit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Keeps rows in memory.
final class MemoryRows implements Rows {
  private final Map<String, List<Row>> threads = new HashMap<>();

  @Override
  public void add(Row row) {
    // Most threads of the workloads have one row or two.
    threads.computeIfAbsent(row.thread(), _ -> new ArrayList<>(2)).add(row);
  }

  @Override
  public Rows another() {
    return new MemoryRows();
  }

  @Override
  public Row last(String thread) {
    return threads.getOrDefault(thread, List.of()).getLast();
  }

  @Override
  public List<Row> page(String thread, int before, int limit) {
    var rows = threads.getOrDefault(thread, List.of());
    return rows.subList(Math.max(0, before - limit), before).reversed();
  }
}
