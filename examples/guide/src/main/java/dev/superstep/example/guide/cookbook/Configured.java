package dev.superstep.example.guide.cookbook;

import dev.superstep.agent.Agent;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// A model that the environment names.
public final class Configured {
  private Configured() {}

  static ChatModel model(Map<String, String> environment) {
    var url = environment.getOrDefault("SHOP_MODEL", "ollama://localhost:11434/qwen3:8b");
    var ref = ModelRef.parse(url);
    if (ref.provider().equals("scripted")) return ScriptedModel.open(Path.of(ref.model()));
    return ModelProviders.open(ref);
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path script = Files.createTempFile("replies", ".json");
    Files.writeString(script, "{\"replies\": [{\"text\": \"Hello.\"}]}");
    var model = model(Map.of("SHOP_MODEL", "scripted://" + script));
    System.out.println(Agent.named("greeter").model(model).build().run("Hi.").answer());
  }
}
