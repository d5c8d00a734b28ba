package dev.superstep.repl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs many programs in a single process of the Python of this machine.
final class CPython {
  private static final String END = "\u0000\u0001\n";

  private static final String RUNNER =
      """
      import sys, io, re, json, math, resource
      resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
      resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
      END = chr(0) + chr(1) + chr(10)
      def run(source):
          out = io.StringIO()
          def printing(*args, sep=' ', end='\\n', flush=False):
              out.write((' ' if sep is None else sep).join(str(a) for a in args) + ('\\n' if end is None else end))
          space = {'print': printing, 're': re, 'json': json, 'math': math}
          try:
              exec(compile(source, 'program', 'exec'), space)
          except BaseException as e:
              out.write('!! ' + type(e).__name__)
          return out.getvalue()
      import warnings
      warnings.simplefilter('ignore')
      programs = sys.stdin.buffer.read().decode('utf-8').split(END)[:-1]
      sys.stdout.buffer.write(''.join(run(p) + END for p in programs).encode('utf-8'))
      """;

  private CPython() {}

  static boolean isThere() {
    try {
      var process = new ProcessBuilder("python3", "--version").redirectErrorStream(true).start();
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The output of each program.
  static List<String> run(List<String> programs) throws IOException, InterruptedException {
    var folder = Files.createTempDirectory("cpython");
    try {
      var in = folder.resolve("in");
      var result = folder.resolve("out");
      var err = folder.resolve("err");
      Files.writeString(in, String.join(END, programs) + END);
      var builder = new ProcessBuilder("python3", "-c", RUNNER);
      builder.environment().put("PYTHONHASHSEED", "0");
      var process =
          builder
              .redirectInput(in.toFile())
              .redirectOutput(result.toFile())
              .redirectError(err.toFile())
              .start();
      int exit = process.waitFor();
      if (exit != 0)
        throw new IOException("python3 ended with " + exit + ": " + Files.readString(err));
      var text = Files.readString(result, StandardCharsets.UTF_8);
      return List.of(text.substring(0, text.length() - END.length()).split(END, -1));
    } finally {
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) Files.delete(file);
      }
      Files.delete(folder);
    }
  }
}
