package dev.superstep.repl;

import com.sun.management.OperatingSystemMXBean;
import dev.superstep.repl.host.Capabilities;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs each bomb in a session of the standard policy and prints how it ended; a process of its own
/// with a small heap shows that the limits come first.
final class BombsMain {
  private BombsMain() {}

  static List<String> bombs() throws IOException {
    try (var in = BombsMain.class.getResourceAsStream("bombs.txt")) {
      var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.asList(text.split("\n---\n"));
    }
  }

  /// The error of a bomb, or `null` if the session is not usable behind it.
  static @Nullable CellError set(String bomb) {
    var session = ReplSession.open(ReplPolicy.standard(), Capabilities.none());
    session.execute("before = 41");
    var error = session.execute(bomb).error();
    session.execute("keep = 0; x = 0; s = 0; l = 0; d = 0; y = 0; keys = 0; a = 0");
    var shown = session.execute("before + 1").value();
    return shown != null && shown.text().equals("42") ? error : null;
  }

  private static long work() {
    var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return system.getProcessCpuTime();
  }

  /// Prints a line for each: milliseconds, those of processors, code, the bomb's first line.
  public static void main(String[] args) throws IOException {
    for (var bomb : bombs()) {
      long start = System.nanoTime();
      long work = work();
      var error = set(bomb);
      long millis = (System.nanoTime() - start) / 1_000_000;
      long worked = (work() - work) / 1_000_000;
      var code = error == null ? "NONE" : error.code() + " " + error.type();
      System.out.println(
          millis + "\t" + worked + "\t" + code + "\t" + bomb.lines().findFirst().orElse(""));
    }
  }
}
