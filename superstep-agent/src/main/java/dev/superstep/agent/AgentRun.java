package dev.superstep.agent;

import dev.superstep.graph.NodeContext;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelException;
import dev.superstep.model.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One run of an agent. What comes next follows from the conversation alone, so that a run which
/// was stopped goes on where it was. One thread.
final class AgentRun {
  private final Agent agent;
  private final @Nullable NodeContext node;
  private final ModelCall modelCall;
  private final List<Message> conversation;
  private final int before;
  private final Announcer announcer;
  private final long start = System.nanoTime();

  private Usage usage = Usage.NONE;
  private int modelCalls;
  private int toolCalls;
  private boolean askedForNothing;
  private @Nullable AssistantMessage said;

  /// @param node what the run is part of, if it is
  AgentRun(
      Agent agent,
      List<? extends Message> conversation,
      AgentListener listener,
      @Nullable NodeContext node) {
    this.agent = agent;
    this.node = node;
    this.modelCall =
        node == null ? agent.modelCall() : agent.modelCall().kept(node, agent.name() + " model");
    this.conversation = new ArrayList<>(conversation);
    this.before = conversation.size();
    this.announcer = new Announcer(agent.name(), listener);
  }

  AgentResult run() throws InterruptedException {
    var reason = Optional.<StopReason>empty();
    while (reason.isEmpty()) reason = step(); // ends at the limit on model calls at the latest
    return result(reason.get());
  }

  private Optional<StopReason> step() throws InterruptedException {
    if (isOver()) return Optional.of(StopReason.TIME_LIMIT);
    var open = Messages.openCalls(conversation);
    return open.isEmpty() ? askModel() : runTools(open);
  }

  private Optional<StopReason> askModel() throws InterruptedException {
    if (modelCalls == agent.limits().modelCalls()) {
      return Optional.of(StopReason.MODEL_CALL_LIMIT);
    }
    modelCalls++;
    announcer.modelCallStarted(modelCalls);
    ChatReply reply;
    try {
      reply = modelCall.run(conversation, timeLeft(), announcer.texts(modelCalls));
    } catch (ModelException e) {
      if (e.kind() == ModelException.Kind.TIMEOUT && isOver()) {
        return Optional.of(StopReason.TIME_LIMIT);
      }
      throw e;
    }
    announcer.modelCalled(modelCalls, reply);
    usage = usage.plus(reply.usage());
    return heard(reply);
  }

  private Optional<StopReason> heard(ChatReply reply) {
    var message = reply.message();
    var empty = message.text().isBlank() && !message.hasToolCalls();
    if (empty && reply.finish() != ChatReply.Finish.FILTERED) return heardNothing(reply);
    askedForNothing = false;
    said = message;
    // Vendors refuse a conversation that holds an empty message.
    if (!empty) conversation.add(message);
    if (message.hasToolCalls()) return Optional.empty();
    return Optional.of(
        switch (reply.finish()) {
          case STOP, TOOL_CALLS -> StopReason.ANSWERED;
          case LENGTH -> StopReason.CUT_OFF;
          case FILTERED -> StopReason.FILTERED;
        });
  }

  /// Models do that now and then, mostly after tool results. Asking once more helps.
  private Optional<StopReason> heardNothing(ChatReply reply) {
    if (askedForNothing) {
      throw new ModelException(
          ModelException.Kind.MALFORMED,
          """
          Model %s gave agent `%s` an empty answer twice. Change the instructions, or raise \
          maxTokens.\
          """
              .formatted(reply.model(), agent.name()));
    }
    askedForNothing = true;
    return Optional.empty();
  }

  private Optional<StopReason> runTools(List<ToolCall> calls) throws InterruptedException {
    if (toolCalls + calls.size() > agent.limits().toolCalls()) {
      return Optional.of(StopReason.TOOL_CALL_LIMIT);
    }
    var left = timeLeft();
    var batch = left == null ? agent.toolBatch() : agent.toolBatch().within(left);
    conversation.addAll(
        node == null ? batch.run(calls, announcer) : batch.run(calls, announcer, node));
    toolCalls += calls.size();
    return Optional.empty();
  }

  private AgentResult result(StopReason reason) {
    if (reason.isLimit()) announcer.limitMet(reason);
    var answer = said;
    if (answer == null || (reason.isLimit() && agent.limits().onLimit() == OnLimit.FAIL)) {
      throw new LimitReached(agent.name(), reason, modelCalls, toolCalls, usage);
    }
    for (var call : Messages.openCalls(conversation)) {
      var why = "Not run: the agent stopped at its limit.";
      conversation.add(new ToolMessage("", call.id(), call.tool(), why, true));
    }
    var added = conversation.subList(before, conversation.size());
    var result = new AgentResult(added, answer, usage, modelCalls, toolCalls, reason);
    announcer.finished(result);
    return result;
  }

  /// Null without a limit; at least a moment with one.
  private @Nullable Duration timeLeft() {
    var time = agent.limits().time();
    if (time == null) return null;
    var left = time.minusNanos(System.nanoTime() - start);
    return left.isPositive() ? left : Duration.ofNanos(1);
  }

  private boolean isOver() {
    var time = agent.limits().time();
    return time != null && System.nanoTime() - start >= time.toNanos();
  }
}
