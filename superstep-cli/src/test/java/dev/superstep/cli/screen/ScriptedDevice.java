package dev.superstep.cli.screen;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/// A terminal whose keys come at times that were settled before, by a clock of its own.
final class ScriptedDevice implements ScreenDevice {
  private final StringBuilder written = new StringBuilder();
  private final Deque<Stroke> strokes = new ArrayDeque<>();
  private ScreenSize size;
  private boolean resized;
  private long now;
  private long last;

  private record Stroke(long at, int codePoint) {}

  ScriptedDevice(int columns, int rows) {
    size = new ScreenSize(columns, rows);
  }

  /// Text that comes at once, some time after what came before.
  ScriptedDevice after(int millis, String text) {
    last += Duration.ofMillis(millis).toNanos();
    long at = last;
    text.codePoints().forEach(c -> strokes.add(new Stroke(at, c)));
    return this;
  }

  /// Keys of a person, one by one.
  ScriptedDevice typing(String text) {
    text.codePoints().forEach(c -> after(120, Character.toString(c)));
    return this;
  }

  String written() {
    return written.toString();
  }

  void resize(int columns, int rows) {
    size = new ScreenSize(columns, rows);
    resized = true;
  }

  @Override
  public ScreenSize size() {
    return size;
  }

  @Override
  public boolean wasResized() {
    boolean was = resized;
    resized = false;
    return was;
  }

  @Override
  public void write(String text) {
    written.append(text);
  }

  @Override
  public int read(Duration wait) {
    var next = strokes.peek();
    if (next == null) {
      now += wait.toNanos();
      return END;
    }
    if (next.at() > now + wait.toNanos()) {
      now += wait.toNanos();
      return NOTHING;
    }
    now = Math.max(now, next.at());
    return strokes.remove().codePoint();
  }

  @Override
  public void discard() {
    strokes.removeIf(stroke -> stroke.at() <= now);
  }

  @Override
  public void enter() {}

  @Override
  public void leave() {}

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public void close() {}
}
