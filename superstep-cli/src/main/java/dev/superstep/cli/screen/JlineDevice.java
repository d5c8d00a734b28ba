package dev.superstep.cli.screen;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.InfoCmp.Capability;
import org.jspecify.annotations.Nullable;

/// The terminal of this process, by JLine and the JDK's foreign functions. One thread at a time.
final class JlineDevice implements ScreenDevice {
  private static final String PASTES_MARKED = "\u001b[?2004h";
  private static final String PASTES_UNMARKED = "\u001b[?2004l";
  private static final String SAVE = "\u001b7";
  private static final String RESTORE = "\u001b8";
  private static final String ERASE = "\u001b[2K";
  private static final long READ_MIN_MILLIS = 1;

  private final Terminal terminal;
  private final AtomicBoolean resized = new AtomicBoolean();
  private volatile List<String> pinned = List.of();
  private boolean isPinColored;
  private volatile ScreenSize lastSize = new ScreenSize(80, 24);
  // Also read by the thread that ends the process.
  private volatile @Nullable Attributes before;

  /// @throws IOException if there is none, or its kind is not known
  JlineDevice() throws IOException {
    try {
      terminal =
          TerminalBuilder.builder()
              .system(true)
              .systemOutput(TerminalBuilder.SystemOutput.SysErrOrSysOut)
              .provider("ffm")
              .dumb(false)
              .graphemeCluster(false)
              .encoding(StandardCharsets.UTF_8)
              .build();
    } catch (IllegalStateException e) {
      throw new IOException("there is no terminal that can be used: " + e.getMessage(), e);
    }
    terminal.handle(Terminal.Signal.WINCH, _ -> resized.set(true));
  }

  @Override
  public ScreenSize size() {
    var now = terminalSize();
    return new ScreenSize(now.columns(), now.rows() - pinned.size());
  }

  /// The size of the terminal; the last one that was known if JLine has closed it, which it does by
  /// itself when the process is told to end.
  private ScreenSize terminalSize() {
    try {
      lastSize = new ScreenSize(terminal.getColumns(), terminal.getRows());
    } catch (IllegalStateException _) {
      // The last one.
    }
    return lastSize;
  }

  /// Whole lines are drawn each time: JLine's own status draws what has changed, and loses the
  /// beginning of a line when their number changes.
  @Override
  public synchronized boolean pin(List<String> lines, boolean isColored) throws IOException {
    if (!canPin()) return false;
    var text = new StringBuilder();
    int rows = terminalSize().rows();
    int more = lines.size() - pinned.size();
    if (more > 0) {
      // What stands where they will be moves up, and the cursor with it.
      text.append(SAVE).append(row(rows - pinned.size())).append("\n".repeat(more));
      text.append(RESTORE).append("\u001b[").append(more).append('A');
    }
    text.append(SAVE);
    text.append(lines.isEmpty() ? "\u001b[r" : "\u001b[1;" + (rows - lines.size()) + "r");
    for (int i = Math.max(lines.size(), pinned.size()); i > 0; i--) {
      text.append(row(rows - i + 1)).append(ERASE);
      if (i > lines.size()) continue;
      var line = lines.get(lines.size() - i);
      text.append(isColored ? "\u001b[7m" + line + "\u001b[0m" : line);
    }
    write(text.append(RESTORE).toString());
    pinned = List.copyOf(lines);
    isPinColored = isColored;
    return true;
  }

  private static String row(int number) {
    return "\u001b[" + number + ";1H";
  }

  private boolean canPin() {
    return terminal.getStringCapability(Capability.change_scroll_region) != null
        && terminal.getStringCapability(Capability.save_cursor) != null
        && terminal.getStringCapability(Capability.restore_cursor) != null
        && terminal.getStringCapability(Capability.cursor_address) != null;
  }

  @Override
  public synchronized void clear() throws IOException {
    // A terminal of another size may have forgotten the region.
    write("\u001b[r\u001b[H\u001b[2J");
    var lines = pinned;
    pinned = List.of();
    if (lines.isEmpty()) return;
    pin(lines, isPinColored);
    write("\u001b[H");
  }

  @Override
  public boolean wasResized() {
    return resized.getAndSet(false);
  }

  @Override
  public void write(String text) throws IOException {
    try {
      terminal.writer().write(text);
      terminal.writer().flush();
      if (terminal.writer().checkError()) throw new IOException("the terminal cannot be written");
    } catch (IllegalStateException _) {
      // Closed by JLine: what gives the screen back is still to be written.
      try (var out = new FileOutputStream("/dev/tty")) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  @Override
  public int read(Duration wait) throws IOException {
    int c = terminal.reader().read(Math.max(READ_MIN_MILLIS, wait.toMillis()));
    if (!Character.isHighSurrogate((char) Math.max(0, c))) return c;
    int low = terminal.reader().read(Math.max(READ_MIN_MILLIS, wait.toMillis()));
    return low < 0 ? c : Character.toCodePoint((char) c, (char) low);
  }

  @Override
  public void discard() throws IOException {
    TerminalInput.flush();
    while (terminal.reader().read(READ_MIN_MILLIS) >= 0) {
      // Dropped.
    }
  }

  @Override
  public void enter() throws IOException {
    if (before != null) return;
    before = terminal.enterRawMode();
    write(PASTES_MARKED);
  }

  @Override
  public void leave() throws IOException {
    var saved = before;
    if (saved == null) return;
    before = null;
    try {
      terminal.setAttributes(saved);
    } catch (IllegalStateException _) {
      // Whoever closed it has set them.
    }
    write(PASTES_UNMARKED);
  }

  @Override
  public Optional<CellPrompt> cells(
      boolean isColored, CellPrompt.Language language, List<String> history) {
    return Optional.of(CellPrompt.on(terminal, isColored, language, history));
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void close() throws IOException {
    try {
      leave();
    } finally {
      terminal.close();
    }
  }
}
