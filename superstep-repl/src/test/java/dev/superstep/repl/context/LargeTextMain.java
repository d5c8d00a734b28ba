package dev.superstep.repl.context;

import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.ReplSession;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.HostValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Writes a text of a size, opens it, and lets a session search and cut it.
final class LargeTextMain {
  private LargeTextMain() {}

  /// @param args file, bytes
  public static void main(String[] args) throws IOException {
    var file = Path.of(args[0]);
    long size = Long.parseLong(args[1]);
    var line =
        "The quick brown fox jumps over the lazy dog, again and again: äöü.\n"
            .repeat(1_000)
            .getBytes(StandardCharsets.UTF_8);
    try (var out = Files.newOutputStream(file)) {
      long written = 0;
      for (; written < size - line.length; written += line.length) out.write(line);
      out.write("needle\nlast line\n".getBytes(StandardCharsets.UTF_8));
    }
    long start = System.nanoTime();
    try (var text = FileText.open(file)) {
      long opened = System.nanoTime();
      var policy = ReplPolicy.standard().withMemory(16 << 20).withCellTime(Duration.ofMinutes(5));
      var host = Capabilities.none().with("context", new HostValue.Document(text));
      var result =
          ReplSession.open(policy, host)
              .execute(
                  "at = context.find('needle')\n"
                      + "at > 900000000, context.count('needle'), str(context[at:at + 6]),"
                      + " context.tail(10) == 'last line\\n'");
      long end = System.nanoTime();
      var value = result.value();
      System.out.println(
          "found "
              + (value == null ? result.error() : value.text())
              + " in "
              + text.length()
              + " characters; opened in "
              + (opened - start) / 1_000_000
              + " ms, searched in "
              + (end - opened) / 1_000_000
              + " ms with "
              + result.used().operations()
              + " operations");
    }
    Files.delete(file);
  }
}
