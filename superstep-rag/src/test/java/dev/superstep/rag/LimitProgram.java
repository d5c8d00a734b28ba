package dev.superstep.rag;

import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.NodeResult;
import dev.superstep.rag.error.RagRunFailed;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.run.Answers;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// A program that [LimitKillTest] runs in a process of its own, kills while it calls, and runs
/// again.
///
/// Its arguments: the folder, the text, and the number of the call during which it waits to be
/// killed. Each call appends a line to `calls` before it is answered.
final class LimitProgram {
  static final int LIMIT = 6;

  /// Calls of models side by side and one after the other, by models and agents, also in graphs
  /// inside.
  static final Map<String, String> TEXTS =
      Map.of(
          "models",
          """
          graph inner { start x node x { model "m" prompt "?" next y } node y { kind agent model "m" prompt "?" } }
          graph g {
            limits { model_calls 6 }
            start s
            node s { kind function function "f" sends [send b "three"] next i }
            node b { model "m" prompt "?" argument text next i }
            node i { kind subgraph graph "inner" output "nothing" next a }
            node a { model "m" prompt "?" router "again" routes { again -> i out -> END } }
          }
          """,
          "tasks",
          """
          graph inner {
            start x
            node x { kind function function "work" next y }
            node y { kind function function "work" }
          }
          graph g {
            limits { tasks 9 }
            start i
            node i { kind subgraph graph "inner" output "nothing" router "again" routes { again -> i out -> END } }
          }
          """,
          "tools",
          """
          graph g {
            limits { tool_calls 6 }
            channel messages messages
            start m
            node m { model "caller" prompt "?" routes { tool_call -> t final -> END } }
            node t { kind tool_executor tools ["tick"] next m }
          }
          """);

  private final Path folder;
  private final int waitsAt;
  private final AtomicInteger calls = new AtomicInteger();

  private LimitProgram(Path folder, int waitsAt) {
    this.folder = folder;
    this.waitsAt = waitsAt;
  }

  public static void main(String[] arguments) throws Exception {
    new LimitProgram(Path.of(arguments[0]), Integer.parseInt(arguments[2])).run(arguments[1]);
  }

  record Nothing() {}

  private synchronized void call() {
    try {
      Files.writeString(
          folder.resolve("calls"), "call\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      if (calls.incrementAndGet() != waitsAt) return;
      System.out.println("waits");
      System.out.flush();
      new CountDownLatch(1).await();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(String text) throws Exception {
    var bench = new Bench().mapping("three", _ -> List.of("1", "2", "3"));
    bench.function("f", (_, _) -> NodeResult.nothing());
    bench.function(
        "work",
        (_, context) -> {
          call();
          Files.writeString(
              folder.resolve("done"),
              context.task() + "\n",
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND);
          return NodeResult.nothing();
        });
    bench.router("again", _ -> "again");
    bench.mapping("nothing", _ -> Map.of());
    bench.model(
        "m",
        ScriptedModel.by(_ -> {
          call();
          return ScriptedModel.text("ok");
        }));
    var ids = new AtomicInteger();
    bench.model(
        "caller",
        ScriptedModel.by(_ -> {
          var id = "c" + System.nanoTime() + ids.incrementAndGet();
          return ScriptedModel.calls(
              new ToolCall(id, "tick", "{}"), new ToolCall(id + "b", "tick", "{}"));
        }));
    bench.registry.register(
        Component.of(
            Kind.TOOL,
            "tick",
            Tool.of(
                "tick",
                "Ticks.",
                Nothing.class,
                (_, _) -> {
                  call();
                  return "tick";
                })));
    var graph = bench.program(TEXTS.get(text)).graph("g").orElseThrow();
    try (var threads = SqliteCheckpointer.open(folder.resolve("threads.db"))) {
      var options =
          RunOptions.thread("t").checkpoints(threads).lease(Duration.ofMillis(200)).concurrency(1);
      while (true) {
        try {
          if (Threads.in(threads).find("t").isPresent()) graph.resume(Answers.none(), options);
          else graph.run(graph.input(Map.of()), options);
          break;
        } catch (ThreadBusy _) {
          LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        } catch (RagRunFailed e) {
          System.out.println("failed " + e.code());
          break;
        }
      }
      System.out.println("ended");
    }
  }
}
