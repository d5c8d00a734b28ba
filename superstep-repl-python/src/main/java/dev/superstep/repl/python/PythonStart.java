package dev.superstep.repl.python;

import dev.superstep.repl.ReplPolicy;
import dev.superstep.sandbox.FramedProcess;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.SandboxCommand;
import dev.superstep.sandbox.SandboxError;
import dev.superstep.sandbox.Tier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Starts the interpreters of a session, each in a sandbox of its own. Immutable.
record PythonStart(Sandbox sandbox, PythonBackend.PythonLimits limits, ReplPolicy policy) {
  /// The most bytes of a frame.
  static final int FRAME_MOST = 16 << 20;

  /// The memory of the interpreter itself, and of the gaps between its objects.
  private static final long OWN_BYTES = 64L << 20;

  private static final int OWN_DEPTH = 100;

  /// Is there in the sandbox in any case, and holds nothing of anybody.
  private static final Path FOLDER = Path.of("/usr");

  private static final class Script {
    static final String TEXT = read("values.py") + "\n" + read("session.py");

    private static String read(String name) {
      try (var in = PythonStart.class.getResourceAsStream(name)) {
        if (in == null) throw new IllegalStateException(name + " is not in the jar");
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /// Starts one.
  ///
  /// @throws PythonUnavailable if there is no Python, or the tier is gone
  FramedProcess start() throws InterruptedException {
    try {
      return FramedProcess.start(sandbox, command(), FRAME_MOST);
    } catch (SandboxError.TierUnavailable e) {
      throw new PythonUnavailable(e.missing(), e);
    } catch (SandboxError.NotStarted e) {
      throw new PythonUnavailable(List.of(String.valueOf(e.getMessage())), e);
    }
  }

  private SandboxCommand command() {
    var depth = String.valueOf(policy.callDepth() + OWN_DEPTH);
    // -S, -s: nothing that somebody installed; -B: no files; -W: warnings would be output.
    return SandboxCommand.of(
            Tier.BUBBLEWRAP,
            FOLDER,
            List.of("python3", "-S", "-s", "-B", "-W", "ignore", "-c", Script.TEXT, depth))
        .onlyVariables(
            Map.of(
                "PATH", "/usr/local/bin:/usr/bin:/bin",
                "HOME", "/home/sandbox",
                "TMPDIR", "/tmp",
                "LANG", "C.UTF-8",
                "PYTHONHASHSEED", "0",
                "PYTHONUTF8", "1"))
        .limits(limits.of(policy.memoryBytes() + OWN_BYTES))
        .timeout(limits.life());
  }
}
