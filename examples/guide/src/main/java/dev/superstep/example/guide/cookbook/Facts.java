package dev.superstep.example.guide.cookbook;

import static dev.superstep.model.ScriptedModel.calls;
import static dev.superstep.model.ScriptedModel.text;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.LongTermMemory;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Store;

/// Facts about a user that outlast a conversation.
public final class Facts {
  private Facts() {}

  static Agent<String> agent(ChatModel model) {
    return Agent.named("waiter").model(model).middleware(LongTermMemory.by("user")).build();
  }

  static RunOptions thread(String name, String user, Store store) {
    return RunOptions.thread(name)
        .checkpoints(new InMemoryCheckpointer())
        .store(store)
        .metadata("user", user);
  }

  public static void main(String[] args) throws InterruptedException {
    var call = new ToolCall("c1", "remember", "{\"text\":\"Ann drinks green tea.\"}");
    var model = ScriptedModel.replying(calls(call), text("Noted."), text("Green tea, as always?"));
    try (var store = InMemoryStore.open()) {
      agent(model).run("I only drink green tea.", thread("monday", "ann", store));
      System.out.println(
          agent(model).run("Good morning!", thread("friday", "ann", store)).answer());
    }
    for (var message : model.requests().getLast().messages()) {
      // Not the keys of memories, which are long.
      System.out.println("sent: " + message.text().replaceAll("\\[.*?] ", ""));
    }
  }
}
