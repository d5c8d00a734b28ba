package dev.superstep.cli.host;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The streams of the process, and what is at their other end. One thread at a time.
///
/// @param asks whether a person can be asked: stdin and stdout are terminals
/// @param redraws whether a line on `err` can be drawn over: it is a terminal
/// @param display what is at the other end of `out`
public record Terminal(
    Keyboard keyboard,
    PrintStream out,
    PrintStream err,
    boolean asks,
    boolean redraws,
    Display display) {
  private static final int SETTLING_MAX = 20;
  private static final int EARLY_MAX = 1_000;
  private static final String QUIET_VARIABLE = "SUPERSTEP_ASK_QUIET_MS";
  private static final int BUFFER = 8192;

  /// A terminal whose standard output is a file.
  public Terminal(
      Keyboard keyboard, PrintStream out, PrintStream err, boolean asks, boolean redraws) {
    this(keyboard, out, err, asks, redraws, Display.file());
  }

  /// Returns the terminal of this process. It always uses UTF-8, whatever the locale: events are
  /// JSON.
  @SuppressWarnings("SystemConsoleNull")
  static Terminal ofProcess() {
    // Null again on 25, whose console is no longer JLine's, when nobody is there.
    var console = System.console();
    boolean asks = console != null && console.isTerminal();
    return new Terminal(
        new SystemKeyboard(Optional.ofNullable(System.getenv(QUIET_VARIABLE))),
        stream(FileDescriptor.out),
        stream(FileDescriptor.err),
        asks,
        isTerminal("/proc/self/fd/2", asks),
        Display.of(
            isTerminal("/proc/self/fd/1", asks),
            System.getenv(),
            new TerminalSize(System.getenv())));
  }

  /// Returns a copy in another environment.
  Terminal in(Map<String, String> variables) {
    return new Terminal(keyboard, out, err, asks, redraws, display.in(variables));
  }

  /// Returns whether standard input is a terminal, whatever standard output is.
  public boolean typesInto() {
    return asks || keyboard.isTerminal();
  }

  /// Reads the next line; empty at the end of the input.
  public Optional<String> readLine() {
    try {
      return keyboard.readLine();
    } catch (IOException e) {
      throw unread(e);
    }
  }

  /// Asks a person and returns the line that was typed after the prompt, and not before anybody
  /// could have read it. Earlier input, and the rest of a paste whose first line answered a
  /// question, is dropped.
  ///
  /// @return empty at the end of the input
  public Optional<String> ask(String prompt) {
    try {
      for (int early = 0; early < EARLY_MAX; early++) {
        settle();
        out.print(prompt);
        out.flush();
        long shown = keyboard.nanoTime();
        var line = keyboard.readLine();
        boolean isLate = keyboard.nanoTime() - shown >= keyboard.quiet().toNanos();
        if (line.isEmpty() || isLate) return line;
        out.println("(Dropped, as it came before this could be read. Please type it again.)");
      }
      return Optional.empty();
    } catch (IOException e) {
      throw unread(e);
    }
  }

  /// Waits until nothing has been typed for a moment, and drops what was.
  private void settle() throws IOException {
    for (int round = 0; round < SETTLING_MAX; round++) {
      keyboard.rest(keyboard.quiet());
      if (!keyboard.forget()) return;
    }
  }

  private static UncheckedIOException unread(IOException e) {
    return new UncheckedIOException("Standard input cannot be read: " + e.getMessage(), e);
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    // Checked errors of a PrintStream are silent, so a reader that goes away does no harm.
    var bytes = new java.io.BufferedOutputStream(new FileOutputStream(descriptor), BUFFER);
    return new PrintStream(bytes, false, StandardCharsets.UTF_8);
  }

  // Java cannot ask whether stderr is a terminal. Linux tells; elsewhere it goes with stdout.
  static boolean isTerminal(String link, boolean otherwise) {
    try {
      var target = Files.readSymbolicLink(Path.of(link)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException _) {
      return otherwise;
    }
  }
}
