package dev.superstep.testkit;

import dev.superstep.node.Ids;
import java.util.concurrent.atomic.AtomicLong;

/// Ids that are the same in every test run: `id-1`, `id-2`, ... As text they sort only up to the
/// ninth, so do not use them to test an order of ids. Safe for many threads.
public final class CountingIds implements Ids {
  private final AtomicLong given = new AtomicLong();

  /// Begins with `id-1`.
  public CountingIds() {}

  @Override
  public String next() {
    return "id-" + given.incrementAndGet();
  }
}
