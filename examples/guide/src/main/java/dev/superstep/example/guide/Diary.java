package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.ContextPressure;
import dev.superstep.middleware.ConversationTail;
import dev.superstep.middleware.LongTermMemory;
import dev.superstep.middleware.Summarization;
import dev.superstep.middleware.ToolResultOffload;
import dev.superstep.middleware.Trigger;
import dev.superstep.model.Capability;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelChain;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import java.util.List;

/// An agent that remembers its users, and that long conversations do not make dearer and dearer.
public final class Diary {
  private Diary() {}

  static Agent<String> agent(ChatModel model, ChatModel small) {
    return Agent.named("diary")
        .model(model)
        .instructions("Listen, and ask one question.")
        .middleware(
            LongTermMemory.by("user").withMost(3),
            ToolResultOffload.over(20_000),
            Summarization.by(small, Trigger.messages(6), Trigger.fraction(0.7))
                .withTail(ConversationTail.messages(3))
                .withArchive(node -> Namespace.of("diary", node.metadata().get("user"))),
            ContextPressure.withinShare(0.9).withResults(2_000))
        .build();
  }

  static Agent<String> reader(ChatModel fast, ChatModel seeing) {
    var chain =
        ModelChain.of(
                ModelChain.Candidate.of("fast", fast),
                ModelChain.Candidate.of("seeing", seeing).withStatus(ModelChain.Status.PREVIEW))
            .withAgentModel("fast");
    return Agent.named("reader")
        .models(chain)
        .request(request -> request.withNeeds(Capability.VISION))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var small = ScriptedModel.saying("Ann went sailing.");
    var remember = new ToolCall("1", "remember", "{\"text\":\"Ann has a boat called Petrel.\"}");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(remember),
            ScriptedModel.text("Where to?"),
            ScriptedModel.text("And then?"),
            ScriptedModel.text("How is Petrel?"));
    var agent = agent(model, small);
    try (var store = InMemoryStore.open()) {
      var options =
          RunOptions.thread("monday")
              .checkpoints(new InMemoryCheckpointer())
              .store(store)
              .metadata("user", "ann")
              .listener(AgentEvent.listener(Diary::print));
      agent.run("I took my boat Petrel out.", options);
      var second = agent.run("To the island, with my sister.", options);
      var first = second.report().conversation().getFirst().text();
      System.out.println("the thread begins: " + first.lines().toList().getLast());
      // Another thread, perhaps in another year:
      var tuesday =
          RunOptions.thread("tuesday")
              .checkpoints(new InMemoryCheckpointer())
              .store(store)
              .metadata("user", "ann");
      agent.run(List.of(Message.user("Good morning.")), tuesday);
    }
    var shown = model.requests().getLast().messages();
    // Not the keys of memories, which are long.
    shown.forEach(one -> System.out.println("shown: " + one.text().replaceAll("\\[.*?] ", "")));
  }

  private static void print(AgentEvent event) {
    if (event instanceof AgentEvent.SummaryCreated(_, _, var sources)) {
      System.out.println("summarized " + sources.size() + " messages");
    }
  }
}
