package dev.superstep.cli.screen;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/// The terminal of this process, by JLine and the JDK's foreign functions. One thread at a time.
final class JlineDevice implements ScreenDevice {
  private static final String PASTES_MARKED = "\u001b[?2004h";
  private static final String PASTES_UNMARKED = "\u001b[?2004l";
  private static final long READ_MIN_MILLIS = 1;

  private final Terminal terminal;
  private final AtomicBoolean resized = new AtomicBoolean();
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
    return new ScreenSize(terminal.getColumns(), terminal.getRows());
  }

  @Override
  public boolean wasResized() {
    return resized.getAndSet(false);
  }

  @Override
  public void write(String text) throws IOException {
    terminal.writer().write(text);
    terminal.writer().flush();
    if (terminal.writer().checkError()) throw new IOException("the terminal cannot be written");
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
    terminal.setAttributes(saved);
    write(PASTES_UNMARKED);
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
