package dev.superstep.deep;

import dev.superstep.agent.Agent;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;

/// A process that dies in the middle of the work of a sub-agent.
final class KilledWriter {
  static final int KILLED = 77;

  private KilledWriter() {}

  record Nothing() {}

  /// The agent gives a task away; the sub-agent writes a file, then calls `pause`, then writes
  /// another.
  static Agent<String> agent(Runnable pause) {
    var waits =
        Tool.of(
                "pause",
                "Waits.",
                Nothing.class,
                (_, _) -> {
                  pause.run();
                  return ToolResult.of("Gone on.");
                })
            .withPolicy(ToolPolicy.readOnly());
    return DeepAgent.named("writer").model(model()).tools(waits).build();
  }

  private static ChatModel model() {
    return ScriptedModel.by(request -> {
      var last = request.messages().getLast();
      if (!(last instanceof ToolMessage told)) {
        return last.text().equals("Write two files.")
            ? ScriptedModel.calls(write("p1", "zero.md"))
            : ScriptedModel.calls(write("s1", "one.md"));
      }
      return switch (told.callId()) {
        case "p1" ->
            ScriptedModel.calls(new ToolCall("p2", "task", "{\"task\":\"Write one and two.\"}"));
        case "s1" -> ScriptedModel.calls(new ToolCall("s2", "pause", "{}"), write("s3", "two.md"));
        case "p2" -> ScriptedModel.text("All are written.");
        default -> ScriptedModel.text("Both are written.");
      };
    });
  }

  private static ToolCall write(String id, String path) {
    return new ToolCall(
        id, "write_file", "{\"path\":\"%s\",\"text\":\"by %s\"}".formatted(path, id));
  }

  public static void main(String[] args) throws InterruptedException {
    try (var store = SqliteCheckpointer.open(Path.of(args[0]))) {
      var options = RunOptions.thread("t").checkpoints(store).lease(Duration.ofSeconds(3));
      agent(() -> Runtime.getRuntime().halt(KILLED)).run("Write two files.", options);
    }
  }
}
