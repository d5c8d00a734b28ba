package dev.superstep.store.jdbc;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.event.Event;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.node.Approval;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/// A program that [CrashTest] runs in a process of its own, kills, and runs again.
///
/// Its arguments: the folder, what to do, then what that needs. It tells its events and its end on
/// standard output, one a line, and each task appends a line to `effects` in the folder.
final class CrashProgram {
  static final int TASKS = 12;
  static final int PAYMENTS = 80;
  private static final Duration LEASE = Duration.ofMillis(200);

  private static final Channel<List<String>, String> DONE = Channel.append("done", String.class);
  private static final Channel<String, String> REPORT = Channel.latest("report", String.class);
  private static final Target<Integer> WORK = Target.of("work", Integer.class);
  private static final Question<String, Approval> SURE =
      Question.of("sure", String.class, Approval.class);

  private final Path folder;

  private CrashProgram(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] arguments) throws Exception {
    var program = new CrashProgram(Path.of(arguments[0]));
    try (var store = SqliteCheckpointer.open(program.folder.resolve("threads.db"))) {
      var options =
          RunOptions.thread("t")
              .checkpoints(store)
              .concurrency(64)
              .lease(LEASE)
              .listener(CrashProgram::tell);
      var answers =
          arguments.length > 3
              ? Answers.json(arguments[2], Json.parse(arguments[3]))
              : Answers.none();
      var outcome = program.run(arguments[1], answers, options);
      program.tell(outcome);
      // As a process that waits for its next work would, until it is killed.
      if (outcome instanceof Outcome.Interrupted) new CountDownLatch(1).await();
    }
  }

  private Outcome run(String what, Answers answers, RunOptions options)
      throws InterruptedException {
    while (true) {
      try {
        return switch (what) {
          case "fan-out" -> fanOut(true).invoke(Input.none(), options);
          case "fan-out-again" -> fanOut(false).resume(answers, options);
          case "pay" -> pay(options.durability(Durability.ASYNC));
          case "chain" -> chain(true).invoke(Input.none(), options);
          case "chain-again" -> chain(false).resume(answers, options);
          case "ask" -> ask().invoke(Input.none(), options);
          case "ask-again" -> ask().resume(answers, options);
          default -> throw new IllegalArgumentException(what);
        };
      } catch (ThreadBusy _) {
        // The one that was killed held it; its time is soon over.
        LockSupport.parkNanos(LEASE.dividedBy(4).toNanos());
      }
    }
  }

  /// Tasks with an even number finish; the others wait for ever, unless the program is not to hang.
  private Graph fanOut(boolean hangs) {
    return Graph.named("fan-out")
        .channels(DONE, REPORT)
        .node(
            WORK,
            (n, _, context) -> {
              effect("work " + n, context);
              if (hangs && n % 2 == 1) new CountDownLatch(1).await();
              return Update.of(DONE, "r" + n);
            })
        .node("report", (state, context) -> report(state.get(DONE), context))
        .fanOut(START, _ -> numbers(), WORK)
        .edge("work", "report")
        .edge("report", END)
        .compile();
  }

  /// The second node hangs, so that the process can be killed after the first one's superstep.
  private Graph chain(boolean hangs) {
    return Graph.named("chain")
        .channels(DONE, REPORT)
        .node(
            "first",
            (_, context) -> {
              effect("first", context);
              return Update.of(DONE, "first");
            })
        .node(
            "second",
            (_, context) -> {
              if (hangs) new CountDownLatch(1).await();
              effect("second", context);
              return Update.of(DONE, "second");
            })
        .node("report", (state, context) -> report(state.get(DONE), context))
        .edge(START, "first")
        .edge("first", "second")
        .edge("second", "report")
        .edge("report", END)
        .compile();
  }

  /// Pays in each superstep. A bank is given the key; what it says is kept as a step.
  private Outcome pay(RunOptions options) throws InterruptedException {
    var graph =
        Graph.named("pay")
            .channels(DONE, REPORT)
            .node(
                "pay",
                (state, context) -> {
                  int n = state.get(DONE).size();
                  effect("pay " + n, context);
                  context.step(
                      "charge",
                      String.class,
                      () -> {
                        effect("charge " + n, context);
                        return "ok";
                      });
                  effect("charged " + n, context);
                  return Update.of(DONE, "p" + n);
                })
            .node("report", (state, context) -> report(state.get(DONE), context))
            .edge(START, "pay")
            .route("pay", s -> s.get(DONE).size() < PAYMENTS ? "pay" : "report", "pay", "report")
            .edge("report", END)
            .compile();
    var patient = options.stepLimit(2 * PAYMENTS);
    boolean isBegun = Threads.in(options.checkpointer().orElseThrow()).find("t").isPresent();
    return isBegun ? graph.resume(Answers.none(), patient) : graph.invoke(Input.none(), patient);
  }

  private Graph ask() {
    var builder = Graph.named("ask").channels(DONE, REPORT).questions(SURE);
    for (int i = 0; i < 3; i++) {
      var name = "ask" + i;
      builder.node(
          name,
          (_, context) -> {
            var answer = context.interrupt(SURE, name + "?");
            effect(name, context);
            return Update.of(DONE, name + (answer.approved() ? " yes" : " no"));
          });
      builder.edge(START, name);
    }
    return builder
        .node("report", (state, context) -> report(state.get(DONE), context))
        .join(List.of("ask0", "ask1", "ask2"), "report")
        .edge("report", END)
        .compile();
  }

  private NodeResult report(List<String> done, NodeContext context) throws IOException {
    effect("report", context);
    return Update.of(REPORT, String.join(",", done));
  }

  private static List<Send<?>> numbers() {
    var sends = new ArrayList<Send<?>>();
    for (int i = 0; i < TASKS; i++) sends.add(Send.to(WORK, i));
    return sends;
  }

  /// A side effect that outlives the process.
  private synchronized void effect(String what, NodeContext context) throws IOException {
    Files.writeString(
        folder.resolve("effects"),
        what + " as " + context.task() + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static void tell(Event event) {
    switch (event) {
      case Event.NodeFinished e -> say("finished " + e.task());
      case Event.NodeStarted e -> say("started " + e.node());
      case Event.InterruptRaised e ->
          say("asked " + e.interrupt().id() + " " + e.interrupt().node());
      default -> {}
    }
  }

  private void tell(Outcome outcome) {
    switch (outcome) {
      case Outcome.Completed(var state) -> say("completed " + state.get(REPORT));
      case Outcome.Interrupted(var questions) -> say("interrupted " + questions.size());
      case Outcome.Stopped _ -> say("stopped");
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
