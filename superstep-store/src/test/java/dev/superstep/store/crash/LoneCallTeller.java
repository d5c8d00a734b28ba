package dev.superstep.store.crash;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.test.kills.Notes;
import dev.superstep.test.kills.PointedCheckpointer;
import dev.superstep.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// A process whose agent calls a tool several times, one call after the other. Each question to its
/// model is noted. Its arguments: the store's address, the file of notes, the thread, at which
/// write it is killed, and where around it.
final class LoneCallTeller {
  static final int CALLS = 5;
  private static final Duration LEASE = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofMillis(25);

  private record Numbers(int a, int b) {}

  private LoneCallTeller() {}

  public static void main(String[] arguments) {
    System.out.println(Teller.told(() -> tell(arguments)));
    System.out.flush();
  }

  private static String tell(String[] arguments) throws Exception {
    var notes = new Notes(Path.of(arguments[1]));
    int point = Integer.parseInt(arguments[3]);
    var when = PointedCheckpointer.When.valueOf(arguments[4]);
    try (var store = Teller.open(arguments[0])) {
      return tell(arguments[2], notes, new PointedCheckpointer(store, point, when, notes));
    }
  }

  static String tell(String thread, Notes notes, Checkpointer store) throws Exception {
    var options = RunOptions.thread(thread).checkpoints(store).lease(LEASE);
    var agent = agent(notes);
    while (true) {
      try {
        var result =
            agent.graph().state(options).isEmpty()
                ? agent.run("Go.", options)
                : agent.resume(Answers.none(), options);
        return "completed " + result.answer();
      } catch (ThreadBusy _) {
        // The process that was killed held it; its time is soon over.
        LockSupport.parkNanos(PATIENCE.toNanos());
      }
    }
  }

  private static Agent<String> agent(Notes notes) {
    var model =
        ScriptedModel.by(request -> {
          int turn = request.messages().size() / 2;
          notes.add("asked " + turn);
          if (turn == CALLS) return ScriptedModel.text("Done.");
          var arguments = "{\"a\":" + turn + ",\"b\":1}";
          return ScriptedModel.calls(new ToolCall("c" + turn, "add", arguments));
        });
    return Agent.named("adder")
        .model(model)
        .tools(Tool.of("add", "Adds.", Numbers.class, (n, _) -> Integer.toString(n.a() + n.b())))
        .build();
  }
}
