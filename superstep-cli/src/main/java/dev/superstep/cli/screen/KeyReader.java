package dev.superstep.cli.screen;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads keys from a terminal, so that only what a person types after a question stands counts.
/// Text that comes at once is a paste, whatever marks are in it: a paste ends when nothing more
/// comes. One thread at a time.
public final class KeyReader {
  /// The time for which keys are ignored after a question is shown.
  public static final Duration DEAF = Duration.ofMillis(250);

  /// Keys of a person are further apart than this.
  static final Duration BURST = Duration.ofMillis(15);

  private static final Duration SEQUENCE = Duration.ofMillis(60);
  private static final Duration AFTER_PASTE = Duration.ofMillis(60);
  private static final Duration TICK = Duration.ofMillis(100);
  private static final int SEQUENCE_MAX = 64;
  private static final int STRING_MAX = 4_096;
  private static final int PASTE_MAX = 1 << 20;
  private static final int SILENT_MAX = 30;

  private static final int ESCAPE = 0x1b;
  private static final int CSI = 0x9b;
  private static final int BELL = 0x07;
  private static final int PARAMETER_LAST = 0x3f;
  private static final String PASTE_BEGIN = "200~";
  private static final String PASTE_END = "\u001b[201~";

  private static final Map<String, Key.Named> SEQUENCES =
      Map.ofEntries(
          Map.entry("A", Key.Named.UP),
          Map.entry("B", Key.Named.DOWN),
          Map.entry("C", Key.Named.RIGHT),
          Map.entry("D", Key.Named.LEFT),
          Map.entry("H", Key.Named.HOME),
          Map.entry("F", Key.Named.END),
          Map.entry("1~", Key.Named.HOME),
          Map.entry("3~", Key.Named.DELETE),
          Map.entry("4~", Key.Named.END),
          Map.entry("5~", Key.Named.PAGE_UP),
          Map.entry("6~", Key.Named.PAGE_DOWN));

  private final ScreenDevice device;
  // When the last key had come to its end.
  private long last;

  public KeyReader(ScreenDevice device) {
    this.device = device;
    this.last = device.nanoTime() - DEAF.toNanos();
  }

  /// Drops what was typed before now and what comes in the next moment, in which nobody can have
  /// read the question. Call it when the question is on the screen.
  ///
  /// @return whether anything was dropped that was typed after this was called
  public boolean settle() throws IOException {
    device.discard();
    long end = device.nanoTime() + DEAF.toNanos();
    boolean any = false;
    for (long left = DEAF.toNanos(); left > 0; left = end - device.nanoTime()) {
      int c = device.read(Duration.ofNanos(left));
      if (c == ScreenDevice.END) return any;
      any |= c != ScreenDevice.NOTHING;
    }
    device.discard();
    return any;
  }

  /// Waits for the next key.
  public Key next() throws IOException {
    while (true) {
      var key = poll(TICK);
      if (key != null) return key;
    }
  }

  /// Waits for a key for some time; `null` if none comes.
  @Nullable Key poll(Duration wait) throws IOException {
    if (device.wasResized()) return Key.Named.RESIZED;
    int c = device.read(wait);
    if (c == ScreenDevice.NOTHING) return device.wasResized() ? Key.Named.RESIZED : null;
    boolean isSudden = device.nanoTime() - last < BURST.toNanos();
    var key =
        switch (c) {
          case ScreenDevice.END -> Key.Named.CLOSED;
          case ESCAPE -> escape();
          case CSI -> sequence();
          case 0x90, 0x98, 0x9d, 0x9e, 0x9f -> string();
          case 0x03 -> Key.Named.INTERRUPT;
          default -> character(c, isSudden);
        };
    last = device.nanoTime();
    return key;
  }

  /// A character, unless it or more comes at once.
  private Key character(int c, boolean isSudden) throws IOException {
    int next = device.read(BURST);
    if (isSudden || next >= 0) {
      var text = new StringBuilder().appendCodePoint(c);
      if (next >= 0) text.appendCodePoint(next);
      rest(text);
      return new Key.Pasted(text.toString());
    }
    return switch (c) {
      case '\r', '\n' -> Key.Named.ENTER;
      case 0x08, 0x7f -> Key.Named.BACKSPACE;
      case '\t' -> Key.Named.TAB;
      case 0x04 -> Key.Named.END_OF_TEXT;
      case 0x15 -> Key.Named.ERASE;
      default -> Character.isISOControl(c) ? Key.Named.UNKNOWN : new Key.Typed(c);
    };
  }

  /// Appends everything that comes without a pause.
  private void rest(StringBuilder text) throws IOException {
    for (int c = device.read(AFTER_PASTE); c >= 0; c = device.read(AFTER_PASTE)) {
      if (text.length() < PASTE_MAX) text.appendCodePoint(c);
    }
  }

  private Key escape() throws IOException {
    int c = device.read(SEQUENCE);
    return switch (c) {
      case ScreenDevice.NOTHING, ScreenDevice.END -> Key.Named.ESCAPE;
      case '[' -> sequence();
      case 'O' -> named(Character.toString(Math.max(0, device.read(SEQUENCE))));
      case ']', 'P', 'X', '^', '_' -> string();
      default -> Key.Named.UNKNOWN;
    };
  }

  private Key sequence() throws IOException {
    var text = new StringBuilder();
    for (int i = 0; i < SEQUENCE_MAX; i++) {
      int c = device.read(SEQUENCE);
      if (c < 0) return Key.Named.UNKNOWN;
      text.appendCodePoint(c);
      if (c > PARAMETER_LAST) break;
    }
    return text.toString().equals(PASTE_BEGIN) ? paste() : named(text.toString());
  }

  private static Key named(String sequence) {
    return SEQUENCES.getOrDefault(sequence, Key.Named.UNKNOWN);
  }

  /// A paste to its end: an end mark behind which more comes at once is a part of what was pasted.
  private Key paste() throws IOException {
    var text = new StringBuilder();
    var tail = new StringBuilder();
    for (int silent = 0; silent < SILENT_MAX; ) {
      boolean isEnded = tail.toString().equals(PASTE_END);
      int c = device.read(isEnded ? AFTER_PASTE : TICK);
      if (c == ScreenDevice.END || (c == ScreenDevice.NOTHING && isEnded)) break;
      silent = c == ScreenDevice.NOTHING ? silent + 1 : 0;
      if (c < 0) continue;
      tail.appendCodePoint(c);
      if (tail.length() > PASTE_END.length()) tail.delete(0, tail.length() - PASTE_END.length());
      if (text.length() < PASTE_MAX) text.appendCodePoint(c);
    }
    int end = text.lastIndexOf(PASTE_END);
    return new Key.Pasted(end < 0 ? text.toString() : text.substring(0, end));
  }

  /// Drops a control string, such as the name of a terminal that it was asked for.
  private Key string() throws IOException {
    int before = 0;
    for (int i = 0; i < STRING_MAX; i++) {
      int c = device.read(SEQUENCE);
      if (c < 0 || c == BELL || c == 0x9c || (before == ESCAPE && c == '\\')) break;
      before = c;
    }
    return Key.Named.UNKNOWN;
  }
}
