package dev.superstep.workspace.shell;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.lock.Mutex;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.SandboxCommand;
import dev.superstep.sandbox.SandboxProcess;
import dev.superstep.sandbox.SandboxResult;
import dev.superstep.workspace.shell.ShellResult.End;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A POSIX shell that takes one command after the other, and keeps directory, variables and
/// functions between them. What a command starts in the background goes on; its output between two
/// commands is lost. A shell that ended is started anew by the next command.
///
/// Safe for many threads; commands run one after the other.
final class Shell implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(2);

  /// The shell's own output stays open as file 9, whatever a command does with its outputs.
  private static final String PREPARE = "exec 9>&1\n";

  private final Sandbox sandbox;
  private final SandboxCommand command;
  private final Mutex turn = new Mutex();
  private final Mutex state = new Mutex();
  private final AtomicInteger users = new AtomicInteger();
  private @Nullable Started started;
  private boolean isClosed;

  private record Started(SandboxProcess process, ShellOutput output) {}

  /// @param command starts a POSIX shell that reads commands from its input
  Shell(Sandbox sandbox, SandboxCommand command) {
    this.sandbox = sandbox;
    this.command = command;
  }

  /// A result, and whether the shell was started for it.
  record Run(ShellResult result, boolean isNew) {}

  /// Counts a caller who is about to run a command, until it is released.
  void use() {
    users.incrementAndGet();
  }

  void release() {
    users.decrementAndGet();
  }

  boolean isUsed() {
    return users.get() > 0;
  }

  /// Runs a command.
  ///
  /// @throws dev.superstep.sandbox.SandboxError if the shell cannot be started
  Run run(String text, Duration most) throws InterruptedException {
    try (var _ = turn.holdInterruptibly()) {
      var before = current();
      var now = before == null ? start() : before;
      try {
        var result = result(now, text, most);
        if (result.isShellGone()) forget(now);
        return new Run(result, before == null);
      } catch (InterruptedException interrupted) {
        forget(now);
        throw interrupted;
      }
    }
  }

  private ShellResult result(Started now, String text, Duration most) throws InterruptedException {
    var nonce = nonce();
    now.output().begin(nonce);
    boolean isSent = send(now, script(text, nonce));
    var read = now.output().await(isSent ? most : GRACE);
    var end =
        switch (read.reason()) {
          case TRAILER -> new End.Exited(read.code(), path(read.directory()));
          case ENDED -> new End.ShellEnded(code(now));
          case SPOILT -> new End.ShellEnded(Optional.empty());
          case TOO_MUCH -> new End.WroteTooMuch(read.text().length() + read.omitted());
          case TIME -> isSent ? new End.TimedOut(most) : new End.ShellEnded(code(now));
        };
    return new ShellResult(end, read.text(), read.omitted());
  }

  /// A directory whose name this process has no letters for, by its locale, is shown with others.
  private static Path path(String directory) {
    try {
      return Path.of(directory);
    } catch (InvalidPathException _) {
      return Path.of(directory.replaceAll("[^ -~]", "?"));
    }
  }

  /// The command as one argument of `eval`, so that it cannot end what stands around it. A function
  /// of the name `printf` does not come between.
  private static String script(String text, String nonce) {
    return "eval '%s' </dev/null >&9 2>&1 9>&-\ncommand printf '\\n%s %%s %%s\\n%s.\\n' \"$?\" \"$PWD\" >&9\n"
        .formatted(text.replace("'", "'\\''"), nonce, nonce);
  }

  private static String nonce() {
    var bytes = new byte[12];
    ThreadLocalRandom.current().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static boolean send(Started now, String script) {
    try {
      var in = now.process().input();
      in.write(script.getBytes(UTF_8));
      in.flush();
      return true;
    } catch (IOException _) {
      return false; // it has ended
    }
  }

  private static Optional<Integer> code(Started now) throws InterruptedException {
    return now.process()
        .await(GRACE)
        .filter(SandboxResult.Ended.Exited.class::isInstance)
        .map(ended -> ((SandboxResult.Ended.Exited) ended).code());
  }

  private @Nullable Started current() {
    try (var _ = state.hold()) {
      if (isClosed) throw new IllegalStateException("The shell is closed.");
      return started;
    }
  }

  private Started start() throws InterruptedException {
    var process = sandbox.start(command);
    var most = command.output();
    var output = new ShellOutput(most.headBytes(), most.tailBytes(), most.writtenBytes());
    var now = new Started(process, output);
    read("output", process.output(), output);
    read("errors", process.errors(), null);
    send(now, PREPARE);
    try (var _ = state.hold()) {
      if (!isClosed) {
        started = now;
        return now;
      }
    }
    process.close();
    throw new IllegalStateException("The shell is closed.");
  }

  /// Reading a pipe holds its thread, so these are threads of the platform.
  private static void read(String name, InputStream stream, @Nullable ShellOutput into) {
    Thread.ofPlatform()
        .daemon()
        .name("superstep-shell-" + name)
        .start(() -> {
          var bytes = new byte[8192];
          try (stream) {
            for (int n = stream.read(bytes); n >= 0; n = stream.read(bytes)) {
              if (into != null) into.append(bytes, n);
            }
          } catch (IOException _) {
            return; // closed
          } finally {
            if (into != null) into.end();
          }
        });
  }

  private void forget(Started now) {
    try (var _ = state.hold()) {
      if (now.equals(started)) started = null;
    }
    now.process().close();
  }

  @Override
  public void close() {
    Started now;
    try (var _ = state.hold()) {
      isClosed = true;
      now = started;
      started = null;
    }
    if (now != null) now.process().close();
  }
}
