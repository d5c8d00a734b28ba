package dev.superstep.cli.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/// Standard input of this process.
final class SystemKeyboard implements Keyboard {
  static final Duration QUIET = Duration.ofMillis(300);
  static final Duration QUIET_MAX = Duration.ofSeconds(10);

  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final Duration quiet;

  /// @param quietMillis how long a question must stand, if the user says
  SystemKeyboard(Optional<String> quietMillis) {
    this.quiet =
        quietMillis
            .filter(text -> text.matches("\\d{1,5}"))
            .map(text -> Duration.ofMillis(Long.parseLong(text)))
            .filter(time -> time.compareTo(QUIET_MAX) <= 0)
            .orElse(QUIET);
  }

  @Override
  public Optional<String> readLine() throws IOException {
    return Optional.ofNullable(in.readLine());
  }

  @Override
  public boolean forget() throws IOException {
    boolean any = false;
    while (in.ready()) {
      var _ = in.read();
      any = true;
    }
    flush();
    return any;
  }

  /// Drops what the terminal itself holds: the beginning of a line reaches no reader before its
  /// end.
  @SuppressWarnings("restricted") // the command is started with native access
  private static void flush() {
    var linker = Linker.nativeLinker();
    var flush = linker.defaultLookup().find("tcflush");
    if (flush.isEmpty()) return; // Windows
    int input = System.getProperty("os.name", "").startsWith("Linux") ? 0 : 1;
    try {
      var shape =
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
      var _ = (int) linker.downcallHandle(flush.get(), shape).invokeExact(0, input);
    } catch (Throwable _) { // what a method handle declares
      // Lines that have ended are dropped all the same.
    }
  }

  @Override
  public Duration quiet() {
    return quiet;
  }

  @Override
  public boolean isTerminal() {
    return Terminal.isTerminal("/proc/self/fd/0", false);
  }

  @Override
  public void rest(Duration time) throws IOException {
    try {
      Thread.sleep(time);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before a question");
    }
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }
}
