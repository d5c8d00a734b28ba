package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.detached.DetachedTasks;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.team.Orchestration;
import dev.superstep.team.Orchestration.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// An agent that starts work which goes on by itself, and takes what is there first. The models are
/// scripted.
public final class Foreman {
  private Foreman() {}

  static Agent<String> agent(ChatModel model, ChatModel other, DetachedTasks<String> tasks) {
    var reader = Agent.named("reader").model(other).instructions("You read.").build();
    return Agent.named("foreman")
        .model(model)
        .middleware(
            Orchestration.over(tasks)
                .agent(reader, "Reads a book and tells what is in it.")
                .work("wait", "Waits for the post.", Kind.EXTERNAL_PROCESS, (_, _) -> post()))
        .build();
  }

  private static String post() throws InterruptedException {
    new CountDownLatch(1).await(); // there is none today
    return "a letter";
  }

  public static void main(String[] args) throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(
                new ToolCall("c1", "spawn_task", "{\"work\":\"wait\",\"task\":\"Whales?\"}")),
            ScriptedModel.calls(
                new ToolCall("c2", "spawn_task", "{\"work\":\"reader\",\"task\":\"Whales?\"}")),
            ScriptedModel.calls(
                new ToolCall("c3", "race_tasks", "{\"tasks\":[\"task-1\",\"task-2\"]}")),
            ScriptedModel.text("Whales are mammals."));
    var count = new AtomicInteger();
    var clock = InstantSource.fixed(Instant.EPOCH);
    try (var tasks =
        DetachedTasks.<String>open(
            10, Duration.ofMillis(10), clock, () -> "task-" + count.incrementAndGet())) {
      var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
      var result =
          agent(model, ScriptedModel.saying("Mammals."), tasks).run("What are whales?", options);
      for (var message : result.report().conversation()) {
        if (message instanceof ToolMessage) System.out.println(message.text());
      }
      System.out.println(result.answer());
    }
  }
}
