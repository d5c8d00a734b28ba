package dev.superstep.bench.cells;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.message.AssistantMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.Usage;
import dev.superstep.repl.CellResult;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.ReplSession;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.TextSource;
import dev.superstep.tool.Tool;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The program behind `superstep bench --cells`: the interpreter beside CPython, the first cells of
/// a process, and calls of models and tools by cells.
public final class CellBench {
  private static final int ROUNDS = 15;
  private static final int CALLS = 10_000;
  private static final int BATCH = 1_000;
  private static final Duration MODEL = Duration.ofMillis(100);
  private static final int MILLION = 1_000_000;

  private CellBench() {}

  record Mark(int number) {}

  /// Measures, and prints a line for each figure.
  public static void run() throws IOException, InterruptedException {
    System.out.printf("first cell of the process: %.1f ms%n", cell());
    System.out.printf("first cell of the next session: %.1f ms%n", cell());
    for (var program : Program.ALL) compare(program);
    calls();
    for (int concurrency : List.of(8, 100)) batch(concurrency);
  }

  private static double cell() {
    long start = System.nanoTime();
    var session = ReplSession.open(ReplPolicy.standard(), Capabilities.none());
    complete(session.execute("x = [i * i for i in range(10)]\nprint(sum(x))\nx[3]"));
    return (System.nanoTime() - start) / (double) MILLION;
  }

  private static void complete(CellResult result) {
    if (!result.isComplete()) throw new IllegalStateException(String.valueOf(result.error()));
  }

  private static void compare(Program program) throws IOException, InterruptedException {
    var policy = ReplPolicy.standard().withOperations(1L << 40).withMemory(256 << 20);
    var session = ReplSession.open(policy, Capabilities.none());
    complete(session.execute(program.source()));
    long best = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      long start = System.nanoTime();
      complete(session.execute(program.call()));
      best = Math.min(best, System.nanoTime() - start);
    }
    double here = best / (double) MILLION;
    var python = CPython.millis(program, ROUNDS);
    System.out.printf(
        "%s: %.1f ms%s%n",
        program.name(),
        here,
        python.isEmpty()
            ? ", skipped: there is no python3 on this machine to compare with"
            : ", CPython %.1f ms, ratio %.2f".formatted(python.get(), here / python.get()));
  }

  private static Agent<String> agent(Grants grants, ReplLimits limits, String cell) {
    return ReplAgent.named("bench")
        .model(new Fixed("```\n" + cell + "\n```", Duration.ZERO))
        .grants(grants)
        .limits(limits)
        .budget(Budget.unlimited())
        .context(TextSource.of(""))
        .build();
  }

  private static void calls() throws InterruptedException {
    var mark = Tool.of("mark", "Marks.", Mark.class, (given, _) -> "" + given.number());
    var agent =
        agent(
            Grants.none().tools(mark),
            ReplLimits.standard().withCalls(0, CALLS, 0, 0),
            "n = 0\nfor i in range("
                + CALLS
                + "):\n    n += int(tool('mark', number=1))\nanswer(n)");
    int threads = Thread.activeCount();
    long start = System.nanoTime();
    agent.run("Go.");
    long millis = (System.nanoTime() - start) / MILLION;
    System.out.printf(
        "%,d calls of a tool, one after another: %,d ms, %d platform threads more%n",
        CALLS, millis, Thread.activeCount() - threads);
  }

  private static void batch(int concurrency) throws InterruptedException {
    var agent =
        agent(
            Grants.none().model("small", new Fixed("ok", MODEL)).middleware(),
            ReplLimits.standard().withCalls(BATCH, 0, 0, 0).withConcurrency(concurrency),
            "answer(len(llm_batch(['x' + str(i) for i in range(" + BATCH + ")])))");
    long start = System.nanoTime();
    agent.run("Go.");
    double millis = (System.nanoTime() - start) / (double) MILLION;
    double ideal = (double) BATCH / concurrency * MODEL.toMillis();
    System.out.printf(
        "a batch of %,d calls of a model of %d ms, %d at once: %,.0f ms, %.2f times the ideal%n",
        BATCH, MODEL.toMillis(), concurrency, millis, millis / ideal);
  }

  /// Says the same after a while.
  private record Fixed(String text, Duration after) implements ChatModel {
    @Override
    public ModelRef ref() {
      return new ModelRef("scripted", "fixed");
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      if (after.isPositive()) Thread.sleep(after);
      return new ChatReply(
          new AssistantMessage("", text, List.of()),
          Usage.NONE,
          ChatReply.Finish.STOP,
          ref(),
          ChatReply.Source.LIVE);
    }
  }

  /// Measures the Python of the machine.
  private static final class CPython {
    static Optional<Double> millis(Program program, int rounds)
        throws IOException, InterruptedException {
      var source =
          program.source()
              + "import time\nbest = 1e9\nfor _ in range("
              + rounds
              + "):\n    start = time.perf_counter()\n    "
              + program.call()
              + "\n    best = min(best, time.perf_counter() - start)\nprint(best * 1000)\n";
      try {
        var process = new ProcessBuilder("python3", "-c", source).start();
        try (var out = process.inputReader()) {
          var line = out.readLine();
          process.waitFor();
          return Optional.ofNullable(line).map(Double::valueOf);
        }
      } catch (IOException _) {
        return Optional.empty();
      }
    }
  }
}
