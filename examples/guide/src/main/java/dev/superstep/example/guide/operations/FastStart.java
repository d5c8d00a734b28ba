package dev.superstep.example.guide.operations;

import dev.superstep.agent.Agent;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.tool.Tool;
import java.nio.file.Files;
import java.nio.file.Path;

/// A program for which a class cache is made: `FastStart rehearse` does what the program does, with
/// a scripted model and a thread that is thrown away, so it needs no key.
public final class FastStart {
  record City(String name) {}

  private static final Tool WEATHER =
      Tool.of("weather", "Tells the weather of a city.", City.class, (city, _) -> "Sunny.");

  private FastStart() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 1 && arguments[0].equals("rehearse")) {
      var file = Files.createTempDirectory("rehearsal").resolve("threads.db");
      System.out.println(answer(script(), file));
    } else {
      var model = ModelProviders.open(ModelRef.parse(System.getenv("MODEL")));
      System.out.println(answer(model, Path.of("threads.db")));
    }
  }

  private static String answer(ChatModel model, Path file) throws InterruptedException {
    var agent = Agent.named("weather").model(model).tools(WEATHER).build();
    try (var store = SqliteCheckpointer.open(file)) {
      var thread = RunOptions.thread("today").checkpoints(store);
      return agent.run("How is the weather in Oslo?", thread).answer();
    }
  }

  private static ChatModel script() {
    return ScriptedModel.replying(
        ScriptedModel.calls(new ToolCall("1", "weather", "{\"name\":\"Oslo\"}")),
        ScriptedModel.text("The sun shines in Oslo."));
  }
}
