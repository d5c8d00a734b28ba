package dev.superstep.cli;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The streams of the process, and what is at their other end. One thread at a time.
///
/// @param asks whether a person can be asked: stdin and stdout are terminals
/// @param redraws whether a line on `err` can be drawn over: it is a terminal
record Terminal(
    BufferedReader in, PrintStream out, PrintStream err, boolean asks, boolean redraws) {
  private static final int BUFFER = 8192;

  /// Those of this process. Always UTF-8, whatever the locale: events are JSON.
  @SuppressWarnings("SystemConsoleNull")
  static Terminal ofProcess() {
    // Null again on 25, whose console is no longer JLine's, when nobody is there.
    var console = System.console();
    boolean asks = console != null && console.isTerminal();
    return new Terminal(
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
        stream(FileDescriptor.out),
        stream(FileDescriptor.err),
        asks,
        isTerminal("/proc/self/fd/2", asks));
  }

  /// The next line, or empty at the end of the input.
  Optional<String> readLine() {
    try {
      return Optional.ofNullable(in.readLine());
    } catch (IOException e) {
      throw new UncheckedIOException("Standard input cannot be read: " + e.getMessage(), e);
    }
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    // Checked errors of a PrintStream are silent, so a reader that goes away does no harm.
    var bytes = new java.io.BufferedOutputStream(new FileOutputStream(descriptor), BUFFER);
    return new PrintStream(bytes, false, StandardCharsets.UTF_8);
  }

  // Java cannot ask whether stderr is a terminal. Linux tells; elsewhere it goes with stdout.
  private static boolean isTerminal(String link, boolean otherwise) {
    try {
      var target = Files.readSymbolicLink(Path.of(link)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException _) {
      return otherwise;
    }
  }
}
