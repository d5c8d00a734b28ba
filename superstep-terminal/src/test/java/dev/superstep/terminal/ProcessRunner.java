package dev.superstep.terminal;

import dev.superstep.terminal.CommandResult.ExecutionError;
import dev.superstep.terminal.approval.Execution;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/// Runs commands as plain child processes, and remembers which it started.
final class ProcessRunner implements CommandRunner {
  final List<String> started = new CopyOnWriteArrayList<>();

  @Override
  public CommandResult run(Execution execution) throws InterruptedException {
    started.add(execution.script());
    try {
      var out = Files.createTempFile("superstep-out", "");
      var err = Files.createTempFile("superstep-err", "");
      var builder =
          new ProcessBuilder(new ArrayList<>(execution.argv()))
              .directory(execution.directory().toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().clear();
      builder.environment().putAll(execution.environment());
      var process = builder.start();
      try {
        process.getOutputStream().close();
        boolean isEnded = process.waitFor(execution.timeout().toMillis(), TimeUnit.MILLISECONDS);
        var stdout = Files.readString(out, StandardCharsets.UTF_8);
        var stderr = Files.readString(err, StandardCharsets.UTF_8);
        if (isEnded) {
          return CommandResult.ended(process.exitValue(), stdout, stderr, Duration.ZERO);
        }
        var late = Optional.of(ExecutionError.TIMEOUT);
        return new CommandResult(-1, stdout, stderr, false, late, execution.timeout());
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        Files.deleteIfExists(out);
        Files.deleteIfExists(err);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
