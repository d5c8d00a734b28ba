package dev.superstep.cli;

import dev.superstep.cli.host.Keyboard;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// A person who types lines at times that were settled before, whatever is asked by then; and the
/// clock by which they do.
final class Typist implements Keyboard {
  private static final Duration QUIET = Duration.ofMillis(300);

  private final Deque<Line> lines = new ArrayDeque<>();
  private long now;

  private record Line(long at, String text) {}

  /// A line that ends at a time.
  Typist at(Duration time, String line) {
    lines.add(new Line(time.toNanos(), line));
    return this;
  }

  @Override
  public Optional<String> readLine() {
    var next = lines.poll();
    if (next == null) return Optional.empty();
    now = Math.max(now, next.at());
    return Optional.of(next.text());
  }

  @Override
  public boolean forget() {
    return lines.removeIf(line -> line.at() <= now);
  }

  @Override
  public Duration quiet() {
    return QUIET;
  }

  @Override
  public void rest(Duration time) {
    now += time.toNanos();
  }

  @Override
  public long nanoTime() {
    return now;
  }
}
