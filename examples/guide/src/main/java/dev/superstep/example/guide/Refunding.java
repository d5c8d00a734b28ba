package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.flow.Flow;
import dev.superstep.flow.FlowHistory;
import dev.superstep.flow.FlowLimits;
import dev.superstep.flow.FlowOutcome.Done;
import dev.superstep.flow.FlowOutcome.Suspended;
import dev.superstep.flow.FlowSnapshot;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// An agent whose tool waits for approval: asked in one process, answered in another, with nothing
/// between them but two files.
public final class Refunding {
  record Complaint(String text) {}

  record Refund(String order, int cents) {}

  record Approval(boolean yes) {}

  record Reply(String text) {}

  static final Tool REFUND =
      Tool.of(
          "refund",
          "Pays money back.",
          Refund.class,
          (refund, context) -> {
            var answer = context.suspend(Json.of(refund)).as(Approval.class);
            return answer.yes() ? "paid " + refund.cents() : "not allowed";
          });

  private Refunding() {}

  static Flow<Complaint, Reply> flow(ChatModel model) {
    var clerk = Agent.named("clerk").model(model).tools(REFUND).answering(Reply.class);
    return Flow.named("complaints", Complaint.class, Reply.class)
        .agent(Complaint.class, Reply.class, clerk)
        .build();
  }

  /// The first process: goes on until somebody has to decide, and writes that down.
  static void ask(Path folder) throws InterruptedException, IOException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "refund", "{\"order\":\"17\",\"cents\":4900}")));
    var run = flow(model).start(new Complaint("Order 17 is broken."));
    if (run.runUntil(FlowLimits.none()) instanceof Suspended<Reply>(var open)) {
      System.out.println("asks: " + open.getFirst().toolId() + " " + open.getFirst().value());
    }
    run.snapshot().writeTo(folder.resolve("snapshot.json"));
    Files.writeString(folder.resolve("history.json"), run.history().json());
  }

  /// The second one: answers, and goes on.
  static void answer(Path folder) throws InterruptedException, IOException {
    var model = ScriptedModel.saying("{\"text\":\"You get 49 EUR back.\"}");
    var history = FlowHistory.parse(Files.readString(folder.resolve("history.json")));
    var run =
        flow(model)
            .fromSnapshot(FlowSnapshot.readFrom(folder.resolve("snapshot.json")))
            .withHistory(history);
    run.resume("Complaint::refund", new Approval(true));
    if (run.runUntil(FlowLimits.none()) instanceof Done<Reply>(var reply)) {
      System.out.println("says: " + reply.text());
    }
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length == 1) {
      answer(Path.of(args[0]));
      return;
    }
    var folder = Files.createTempDirectory("refunding");
    ask(folder);
    System.out.print(another(folder));
  }

  /// What another process prints that runs this program.
  private static String another(Path folder) throws IOException, InterruptedException {
    var java = ProcessHandle.current().info().command().orElse("java");
    var path = System.getProperty("java.class.path");
    var command = List.of(java, "-cp", path, Refunding.class.getName(), folder.toString());
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }
}
