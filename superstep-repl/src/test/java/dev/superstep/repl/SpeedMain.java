package dev.superstep.repl;

import dev.superstep.repl.host.Capabilities;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;

/// Measures the interpreter against the Python of this machine, each warm, in the same run: prints
/// the best time of both and the ratio.
final class SpeedMain {
  private static final int ROUNDS = 15;

  private record Task(String name, String source, String call) {}

  private static final List<Task> TASKS =
      List.of(
          new Task(
              "arithmetic",
              """
              def arithmetic(n):
                  t = 0
                  for i in range(n):
                      t += i * 2 - (i & 7)
                      if t % 3 == 0:
                          t = t // 2
                  return t
              """,
              "arithmetic(500000)"),
          new Task(
              "texts",
              """
              def texts(n):
                  s = ''
                  for i in range(n):
                      s += 'item ' + str(i) + ', '
                  parts = s.split(', ')
                  return len('-'.join([p.upper() for p in parts if p.endswith('7')]))
              """,
              "texts(100000)"),
          new Task(
              "lists and dicts",
              """
              def lists(n):
                  d = {}
                  xs = []
                  for i in range(n):
                      k = i % 1000
                      d[k] = d.get(k, 0) + 1
                      xs.append(k)
                  ys = sorted([x * 2 for x in xs if x > 10])
                  t = 0
                  for y in ys:
                      t += y
                  return t + len(d)
              """,
              "lists(200000)"),
          new Task(
              "calls",
              """
              def leaf(a, b):
                  return a + b
              def fib(n):
                  return n if n < 2 else fib(n - 1) + fib(n - 2)
              def calls(n):
                  t = 0
                  for i in range(n):
                      t = leaf(t, i)
                  return t + fib(22)
              """,
              "calls(300000)"));

  private SpeedMain() {}

  public static void main(String[] args) throws IOException {
    var policy = ReplPolicy.standard().withOperations(1L << 40).withMemory(256 << 20);
    for (var task : TASKS) {
      var session = ReplSession.open(policy, Capabilities.none());
      session.execute(task.source);
      long best = Long.MAX_VALUE;
      for (int i = 0; i < ROUNDS; i++) {
        long start = System.nanoTime();
        var result = session.execute(task.call);
        best = Math.min(best, System.nanoTime() - start);
        if (!result.isComplete()) throw new IllegalStateException(String.valueOf(result.error()));
      }
      double here = best / 1e6;
      double python = python(task);
      System.out.printf(
          "%s: %.1f ms, CPython %.1f ms, ratio %.2f%n", task.name, here, python, here / python);
    }
  }

  private static double python(Task task) throws IOException {
    var file = Files.createTempFile("speed", ".py");
    Files.writeString(
        file,
        task.source
            + "import time\nbest = 1e9\nfor _ in range(7):\n    start = time.perf_counter()\n    "
            + task.call
            + "\n    best = min(best, time.perf_counter() - start)\nprint(best * 1000)\n");
    var process = new ProcessBuilder("python3", file.toString()).start();
    try (var out = process.getInputStream()) {
      return Double.parseDouble(new String(out.readAllBytes(), StandardCharsets.UTF_8).strip());
    } finally {
      Files.delete(file);
    }
  }
}
