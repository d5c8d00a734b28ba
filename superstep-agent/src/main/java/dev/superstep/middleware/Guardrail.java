package dev.superstep.middleware;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import java.util.ArrayList;
import java.util.List;

/// Checks the messages of users before a model gets them, or those of a model before anybody else
/// does. A [Guard] decides: let it pass, end with another answer, or fail.
///
/// ```java
/// Guardrail.input(Guard.of(text -> text.length() > 10_000 ? Ruling.block("Too long.") : pass()))
/// Guardrail.output(Guard.asking(model, "No legal advice.", "I cannot advise you there."))
/// ```
///
/// What a model said is checked when it has text; if it is blocked, the other answer takes its
/// place in the conversation, and its tool calls are not run. Those who listen to the run hear a
/// reply that is checked only when it is whole. What a user said stays in the conversation, as
/// said.
///
/// Immutable, safe for many threads; the methods return changed copies.
public final class Guardrail implements Middleware {
  private final boolean isOfInput;
  private final Guard guard;
  private final String name;

  private Guardrail(boolean isOfInput, Guard guard, String name) {
    this.isOfInput = isOfInput;
    this.guard = guard;
    this.name = name;
  }

  /// Checks what users say.
  public static Guardrail input(Guard guard) {
    return new Guardrail(true, guard, "input-guardrail");
  }

  /// Checks what the model says.
  public static Guardrail output(Guard guard) {
    return new Guardrail(false, guard, "output-guardrail");
  }

  /// Tells it apart from others of its kind; needed for several that ask models.
  public Guardrail named(String other) {
    return new Guardrail(isOfInput, guard, SettingChecks.notBlank("name", other));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Touches touches() {
    return Touches.METADATA;
  }

  @Override
  public boolean holdsDeltas() {
    return !isOfInput;
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) throws Exception {
    if (!isOfInput) return request;
    // What the model is to be asked, not the thread: others may have taken something out.
    var messages = request.messages();
    int from = messages.size();
    while (from > 0 && messages.get(from - 1) instanceof UserMessage) from--;
    var said = messages.subList(from, messages.size());
    if (said.isEmpty()) return request;
    var text = String.join("\n", said.stream().map(Message::text).toList());
    switch (rule(text, messages.subList(0, from), context)) {
      case Guard.Ruling.Pass _ -> {}
      case Guard.Ruling.Block(var answer) -> context.control(new Control.StopWith(answer), name);
      case Guard.Ruling.Fail(var why) ->
          throw new ContentBlocked(context.agent(), name, "input", why);
    }
    return request;
  }

  @Override
  public ChatReply afterModel(ChatReply reply, AgentContext context) throws Exception {
    var text = reply.message().text();
    if (isOfInput || text.isBlank()) return reply;
    return switch (rule(text, context.conversation(), context)) {
      case Guard.Ruling.Pass _ -> reply;
      case Guard.Ruling.Block(var answer) -> {
        context.control(new Control.StopWith(answer), name);
        yield reply.withMessage(new AssistantMessage(reply.message().id(), answer, List.of()));
      }
      case Guard.Ruling.Fail(var why) ->
          throw new ContentBlocked(context.agent(), name, "output", why);
    };
  }

  private Guard.Ruling rule(String text, List<Message> before, AgentContext context)
      throws Exception {
    return guard.rule(new Guard.Seen(text, new ArrayList<>(before), name, context));
  }

  @Override
  public String toString() {
    return "Guardrail[" + name + ", " + (isOfInput ? "input" : "output") + "]";
  }
}
