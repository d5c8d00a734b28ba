package dev.superstep.cli.screen;

import dev.superstep.cli.host.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A person at a terminal: shows text and asks questions. Closing it gives the terminal back as it
/// was. One thread at a time, but for [#restore].
public final class Screen implements AutoCloseable {
  private static final Path DEVICE = Path.of("/dev/tty");

  private final ScreenDevice device;
  private final Painter painter;
  private final KeyReader keys;

  private Screen(ScreenDevice device, Painter.Looks looks) {
    this.device = device;
    this.painter = new Painter(device, looks);
    this.keys = new KeyReader(device);
  }

  /// Opens the terminal of this process. Standard input must have been read to its end before, if
  /// it is not the terminal; after that it is.
  ///
  /// @param plain whether lines are only added, without drawing over any
  /// @return empty if the process has no terminal
  public static Optional<Screen> open(Host host, boolean plain) throws IOException {
    if (!host.terminal().asks() && !isThere()) return Optional.empty();
    if (!host.terminal().typesInto()) {
      if (!TerminalInput.become()) return Optional.empty();
    }
    return Optional.of(new Screen(new JlineDevice(), looks(host, plain)));
  }

  /// A screen on a terminal of another kind.
  public static Screen on(ScreenDevice device, Painter.Looks looks) {
    return new Screen(device, looks);
  }

  private static Painter.Looks looks(Host host, boolean plain) {
    boolean isSimple = host.variable("TERM").map("dumb"::equals).orElse(true);
    if (plain || isSimple) return Painter.Looks.PLAIN;
    boolean isGrey = host.variable("NO_COLOR").isPresent();
    return isGrey ? Painter.Looks.NO_COLORS : Painter.Looks.COLORS;
  }

  /// Returns whether the process has a terminal that can be opened.
  private static boolean isThere() {
    try (var _ = Files.newInputStream(DEVICE)) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /// The kind and size of the terminal of this process, or that there is none.
  public static String describe(Host host) throws IOException {
    var opened = open(host, false);
    if (opened.isEmpty()) return "none: nobody can be asked";
    try (var screen = opened.get()) {
      var size = screen.device.size();
      return "%s, %d columns, %d rows"
          .formatted(host.variable("TERM").orElse("unknown"), size.columns(), size.rows());
    }
  }

  /// Asks whether a command may run.
  public ApprovalAnswer ask(ApprovalView view) throws IOException {
    return asking(() -> new ApprovalDialog(painter, keys, view).ask());
  }

  /// Shows a text and waits for one of its keys.
  ///
  /// @return a key of the choices, or [Key.Named#INTERRUPT] or [Key.Named#CLOSED]
  public Key choose(BlockDialog.Content content) throws IOException {
    return asking(() -> new BlockDialog(painter, keys, content).choose());
  }

  /// Shows a text and has a line typed under it.
  ///
  /// @return empty if it was given up
  public Optional<String> type(BlockDialog.Content content, String prompt) throws IOException {
    return asking(
        () -> Optional.ofNullable(new BlockDialog(painter, keys, content).line(prompt, "", true)));
  }

  /// Has a line typed behind a prompt, as in a shell. What was typed before is dropped, and pasted
  /// line breaks do not end it.
  ///
  /// @param history earlier lines, for the arrow keys
  /// @return empty at the end of the input
  public Optional<String> prompt(String prompt, List<String> history) throws IOException {
    return prompting(history, line -> line.read(prompt));
  }

  /// Has a line typed as [#prompt] does, and tells what Ctrl-C gave up from an empty line.
  public LineEditor.Entry entry(String prompt, List<String> history) throws IOException {
    return prompting(history, line -> line.entry(prompt));
  }

  /// The use of a prompt.
  private interface Prompting<T> {
    T read(LinePrompt line) throws IOException;
  }

  private <T> T prompting(List<String> history, Prompting<T> reading) throws IOException {
    device.enter();
    try {
      device.discard();
      return reading.read(new LinePrompt(painter, keys, new LineEditor("", history)));
    } finally {
      painter.end();
      device.leave();
    }
  }

  /// The columns that a line may take.
  public int columns() throws IOException {
    return device.size().columns() - 1;
  }

  /// A prompt for cells of several lines; empty if this terminal has none.
  ///
  /// @param history earlier texts, the newest last
  public Optional<CellPrompt> cells(CellPrompt.Language language, List<String> history) {
    if (painter.looks() == Painter.Looks.PLAIN) return Optional.empty();
    return device.cells(isColored(), language, history);
  }

  /// Returns whether lines may have colours.
  public boolean isColored() {
    return painter.looks() == Painter.Looks.COLORS;
  }

  /// Prints lines that stay. Text by others has to be made safe before.
  public void print(String text, Style style) throws IOException {
    painter.print(ScreenLine.wrapped(text, style, device.size().columns() - 1));
  }

  /// Prints text by others behind a mark.
  public void printForeign(String text, String mark, Style style) throws IOException {
    painter.print(ScreenLine.foreign(text, mark, style, device.size().columns() - 1));
  }

  /// Shows where a conversation is: at the bottom of the screen, or as a line that stays where that
  /// is not possible.
  public void status(String text) throws IOException {
    if (!painter.pin(text)) print(text, Style.STRONG);
  }

  /// Ends [#status]; the last one stays as a line.
  public void settle() throws IOException {
    var last = painter.pinned();
    if (last.isEmpty()) return;
    painter.pin("");
    print(last, Style.STRONG);
  }

  /// Something that takes keys.
  private interface Asking<T> {
    T ask() throws IOException;
  }

  private <T> T asking(Asking<T> asking) throws IOException {
    device.enter();
    try {
      return asking.ask();
    } finally {
      painter.clear();
      device.leave();
    }
  }

  /// Gives the terminal back in the middle of a question; for the thread that ends the process.
  public void restore() {
    try {
      device.leave();
      settle();
    } catch (IOException _) {
      // Then it is gone.
    }
  }

  @Override
  public void close() throws IOException {
    try {
      settle();
    } finally {
      device.close();
    }
  }
}
