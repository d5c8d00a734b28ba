package dev.superstep.store.crash;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.test.kills.Notes;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolGate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/// An agent that pays and ships: batches of calls with effects, agents inside of them, called and
/// given as tools, and approvals at both levels. Each effect is noted by its task and booked by its
/// idempotency key.
final class AgentStory {
  private static final Duration PATIENCE = Duration.ofMillis(25);
  private static final ToolGate GATE = ToolGate.open().confirming("ship");

  record Amount(int amount) {}

  record Parcel(String to) {}

  private final Notes notes;
  private final Notes booked;

  /// @param booked what a service outside was told, with the key it was given
  AgentStory(Notes notes, Notes booked) {
    this.notes = notes;
    this.booked = booked;
  }

  /// Goes on with the thread, wherever it stands, to the end.
  ///
  /// @return the conversation, on one line
  String tell(RunOptions options) throws InterruptedException {
    var agent = agent();
    while (true) {
      try {
        var state = agent.graph().state(options);
        var result =
            state.isEmpty()
                ? agent.run("Send what was ordered.", options)
                : agent.resume(answers(state.get().questions()), options);
        if (result instanceof AgentResult.Answered<String>(_, var report)) {
          return "completed " + text(report.conversation());
        }
      } catch (ThreadBusy _) {
        // The process that was killed held it; its time is soon over.
        LockSupport.parkNanos(PATIENCE.toNanos());
      } catch (StoreFailed e) {
        if (!e.getMessage().contains("another process keeps it locked")) throw e;
      }
    }
  }

  private static Answers answers(List<Interrupt> questions) {
    var answers = Answers.none();
    var approved = Review.Decisions.of(new Review.Decision.Approve());
    for (var question : questions) {
      answers = answers.and(Review.QUESTION.answer(question, approved));
    }
    return answers;
  }

  private Agent<String> agent() {
    return Agent.named("clerk")
        .model(ScriptedModel.by(AgentStory::sells))
        .tools(pay(), ship())
        .gate(GATE)
        .agent(packer("packer"), "Packs one order.")
        .tools(packer("binder").asTool("Packs one order, too."))
        .build();
  }

  private Agent<String> packer(String name) {
    return Agent.named(name)
        .model(ScriptedModel.by(AgentStory::packs))
        .tools(pay(), ship())
        .gate(GATE)
        .build();
  }

  private Tool pay() {
    return Tool.of(
        "pay", "Pays.", Amount.class, (a, context) -> effect(context, "paid " + a.amount()));
  }

  private Tool ship() {
    return Tool.of(
        "ship", "Ships.", Parcel.class, (p, context) -> effect(context, "shipped to " + p.to()));
  }

  private String effect(ToolContext context, String what) {
    notes.add("ran " + context.node().task());
    booked.add(context.idempotencyKey() + " " + what);
    return what;
  }

  private static ChatReply sells(ChatRequest request) {
    return switch (turns(request)) {
      case 0 ->
          ScriptedModel.calls(
              pay("c1", 1),
              pay("c2", 2),
              new ToolCall("c3", "packer", "{\"task\":\"Oslo\"}"),
              pay("c4", 3),
              new ToolCall("c5", "binder", "{\"task\":\"Rome\"}"));
      case 1 -> ScriptedModel.calls(pay("d1", 4), ship("d2", "Paris"), pay("d3", 5));
      default -> ScriptedModel.text("All is sent.");
    };
  }

  private static ChatReply packs(ChatRequest request) {
    var task =
        request.messages().stream()
            .filter(UserMessage.class::isInstance)
            .map(Message::text)
            .findFirst()
            .orElseThrow();
    return turns(request) == 0
        ? ScriptedModel.calls(pay("p1", task.length()), ship("p2", task), pay("p3", 9))
        : ScriptedModel.text("Packed for " + task + ".");
  }

  private static ToolCall pay(String id, int amount) {
    return new ToolCall(id, "pay", "{\"amount\":" + amount + "}");
  }

  private static ToolCall ship(String id, String to) {
    return new ToolCall(id, "ship", "{\"to\":\"" + to + "\"}");
  }

  private static int turns(ChatRequest request) {
    return (int) request.messages().stream().filter(AssistantMessage.class::isInstance).count();
  }

  private static String text(List<Message> conversation) {
    return conversation.stream().map(AgentStory::text).collect(Collectors.joining(" | "));
  }

  private static String text(Message message) {
    return switch (message) {
      case AssistantMessage reply -> "model: " + reply.text() + reply.calls();
      case ToolMessage answer ->
          answer.tool() + " " + answer.callId() + ": " + answer.text() + " " + answer.error();
      default -> "user: " + message.text();
    };
  }
}
