package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentChannels;
import dev.superstep.agent.internal.state.AgentNodes;
import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.SteeringState;
import dev.superstep.agent.internal.state.ToolCallIds;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.LimitReached;
import dev.superstep.agent.run.OnLimit;
import dev.superstep.agent.run.StopReason;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Spend;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.middleware.Control;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelException;
import dev.superstep.node.Command;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// A turn of the model: asks it, and decides from what it said how the agent goes on. Immutable.
final class ModelNode implements Node {
  private final AgentSpec spec;
  private final ToolCallPolicy policy;
  private final ModelInvoker asking;

  ModelNode(AgentSpec spec, ToolCallPolicy policy) {
    this.spec = spec;
    this.policy = policy;
    this.asking = new ModelInvoker(spec);
  }

  @Override
  public NodeResult run(State state, NodeContext node) throws Exception {
    var context = new TurnContext(spec, node, state, state.get(AgentRunState.CHANNEL));
    // Ledgers that the run was given learn of what was spent before, also if nothing is asked now.
    LedgerRegistry.of(context, spec);
    try {
      return turn(context);
    } catch (Exception e) {
      return failed(e, context);
    }
  }

  private NodeResult turn(TurnContext context) throws Exception {
    var given = context.state().get(AgentChannels.FINAL);
    if (!given.isEmpty()) {
      var text = given.getLast().text();
      return finish(StopReason.TOOL_ANSWERED, text, context, List.of());
    }
    var boundary = SteeringInbox.at(context);
    if (boundary.hasChanged()) context.write(SteeringState.CHANNEL, boundary.now());
    // One that cancels an agent around this one is for that agent to take.
    if (boundary.isCancelled() || context.isCancelled()) {
      return finish(StopReason.CANCELLED, "Cancelled.", context, boundary.messages());
    }
    if (boundary.waits()) {
      return Command.to(AgentNodes.STEER).with(context.with(boundary.messages()));
    }
    context.steered(boundary.now(), boundary.messages());
    var limit = limit(context);
    if (limit.isPresent()) return stopped(limit.get(), context);
    var turned = asking.ask(context, context.timeLeft());
    var asked = context.asked();
    if (turned == null) return controlled(Objects.requireNonNull(asked), context, List.of());
    context.spentAsking(turned.spend());
    var heard = asking.after(turned.reply(), context);
    var reply = heard.withMessage(ToolCallIds.unique(heard.message(), context.conversation()));
    asked = context.asked();
    if (asked != null) return controlled(asked, context, List.of(reply.message()));
    return new ReplyRouting(context, turned, reply).next();
  }

  /// Why the model cannot be asked again, if it cannot.
  private Optional<StopReason> limit(TurnContext context) {
    if (context.modelCalls() >= spec.limits().modelCalls()) {
      return Optional.of(StopReason.MODEL_CALL_LIMIT);
    }
    var left = context.timeLeft();
    return left.isPresent() && left.get().isZero()
        ? Optional.of(StopReason.TIME_LIMIT)
        : Optional.empty();
  }

  /// Goes on as a middleware said.
  private NodeResult controlled(
      TurnContext.ControlRequest asked, TurnContext context, List<Message> said) throws Exception {
    var control = asked.control();
    context.emit(
        new AgentEvent.ControlApplied(spec.name(), control.getClass().getSimpleName(), asked.by()));
    var kept = closed(said);
    return switch (control) {
      case Control.ToModel _ ->
          Command.to(AgentNodes.MODEL)
              .with(context.with(kept))
              .with(spent(context))
              .with(
                  progress(context.runState().asked(context.runState().model(), prefix(context))));
      case Control.StopWith(var answer) -> finish(StopReason.STOPPED, answer, context, kept);
      case Control.Fail(var reason) -> stopped(reason, context);
    };
  }

  private static Optional<String> prefix(TurnContext context) {
    return context.runState().prefix();
  }

  /// The messages, with an answer to each call that will not be made.
  private static List<Message> closed(List<Message> said) {
    var all = new ArrayList<Message>(said);
    for (var call : dev.superstep.message.Messages.openCalls(said)) {
      all.add(new ToolMessage("", call.id(), call.tool(), "Not run.", true));
    }
    return all;
  }

  /// The routing of a reply.
  private final class ReplyRouting {
    private final TurnContext context;
    private final ModelInvoker.Turned turned;
    private final ChatReply reply;
    private final AgentRunState runState;

    ReplyRouting(TurnContext context, ModelInvoker.Turned turned, ChatReply reply) {
      this.context = context;
      this.turned = turned;
      this.reply = reply;
      this.runState =
          context.runState().asked(Optional.of(turned.model()), Optional.of(turned.prefix()));
    }

    Command next() throws Exception {
      var message = reply.message();
      if (reply.isPaused()) return again(List.of(message), runState);
      if (message.isEmpty() && reply.finish() != ChatReply.Finish.FILTERED) return nothing();
      if (!message.hasToolCalls()) return text();
      if (!turned.carried()) return tools(message.calls(), List.of());
      var answers = message.calls().stream().filter(this::isAnswer).toList();
      return answers.isEmpty() ? tools(message.calls(), List.of()) : carried(answers);
    }

    private boolean isAnswer(ToolCall call) {
      return turned.carried() && call.tool().equals(spec.form().carrier());
    }

    /// Models do that now and then, mostly after tool results. Asking once more helps.
    private Command nothing() {
      if (runState.empty() > 0) {
        throw new ModelException(
            ModelException.Kind.MALFORMED,
            """
            Model %s gave agent `%s` an empty answer twice. Change the instructions, or raise \
            maxTokens.\
            """
                .formatted(reply.model(), spec.name()));
      }
      return again(List.of(), runState.withEmptyReply());
    }

    private Command text() throws Exception {
      var said = reply.message().text();
      var reason =
          switch (reply.finish()) {
            case STOP, TOOL_CALLS, PAUSED -> StopReason.ANSWERED;
            case LENGTH -> StopReason.CUT_OFF;
            case FILTERED -> StopReason.FILTERED;
          };
      List<Message> kept = reply.message().isEmpty() ? List.of() : List.of(reply.message());
      if (spec.form().isText()) return end(kept, runState.ended(reason, said, Optional.empty()));
      var json = dev.superstep.model.Fences.strip(said);
      var problems = spec.form().problems(json);
      if (problems.isEmpty()) {
        var done = runState.answered(Json.parse(json));
        return end(kept, done.ended(StopReason.ANSWERED, said, Optional.empty()));
      }
      if (reason != StopReason.ANSWERED) throw noAnswer(problems);
      var asks =
          turned.carried()
              ? List.of("Give the answer by calling the tool `" + spec.form().carrier() + "`.")
              : problems;
      return repaired(new ArrayList<>(kept), asks, problems);
    }

    /// The answer came as the arguments of a tool.
    private Command carried(List<ToolCall> answers) throws Exception {
      var calls = reply.message().calls();
      if (calls.size() > answers.size()) {
        var others = calls.stream().filter(call -> !isAnswer(call)).toList();
        return tools(others, refused(answers, "Too early: other tools were called with it."));
      }
      var kept = new ArrayList<Message>();
      kept.add(reply.message());
      if (answers.size() > 1) {
        kept.addAll(refused(answers, "Give one answer."));
        return repaired(kept, List.of("Give exactly one answer."), List.of("Several answers."));
      }
      var call = answers.getFirst();
      var problems = spec.form().problems(call.arguments());
      if (!problems.isEmpty()) {
        kept.addAll(refused(answers, String.join("\n", problems)));
        return repaired(kept, problems, problems);
      }
      kept.add(new ToolMessage("", call.id(), call.tool(), "Accepted.", false));
      var done = runState.answered(Json.parse(call.arguments()));
      return end(kept, done.ended(StopReason.ANSWERED, call.arguments(), Optional.empty()));
    }

    private static List<ToolMessage> refused(List<ToolCall> calls, String why) {
      return calls.stream()
          .map(call -> new ToolMessage("", call.id(), call.tool(), why, true))
          .toList();
    }

    private Command repaired(List<Message> kept, List<String> asks, List<String> problems) {
      var repair = spec.form().repair();
      if (runState.repairs() >= repair.turns()) throw noAnswer(problems);
      kept.add(Message.user(repair.message().apply(asks)));
      return again(kept, runState.repaired());
    }

    private ModelException noAnswer(List<String> problems) {
      return new ModelException(
          ModelException.Kind.MALFORMED,
          "%s gave agent `%s` no valid answer in %d turns. %s"
              .formatted(
                  reply.model(), spec.name(), runState.repairs() + 1, String.join(" ", problems)));
    }

    private Command tools(List<ToolCall> calls, List<ToolMessage> answered) throws Exception {
      var kept = new ArrayList<Message>();
      kept.add(reply.message());
      kept.addAll(answered);
      if (runState.toolCalls() + calls.size() > spec.limits().toolCalls()) {
        return limited(kept, calls);
      }
      var next = runState.calling(calls.size());
      var callDecisions = policy.callDecisions(calls, context);
      var command =
          ToolCallPolicy.asks(callDecisions)
              ? Command.to(AgentNodes.REVIEW)
              : policy.sent(callDecisions, context);
      return with(command, kept, next);
    }

    private Command limited(List<Message> kept, List<ToolCall> calls) throws Exception {
      limitMet(StopReason.TOOL_CALL_LIMIT, context);
      if (failsAtLimits()) throw limitReached(StopReason.TOOL_CALL_LIMIT, context);
      kept.addAll(refused(calls, "Not run: the agent stopped at its limit."));
      var text = reply.message().text();
      return end(kept, runState.ended(StopReason.TOOL_CALL_LIMIT, text, Optional.empty()));
    }

    private Command again(List<Message> kept, AgentRunState next) {
      return with(Command.to(AgentNodes.MODEL), kept, next);
    }

    private Command end(List<Message> kept, AgentRunState next) {
      return with(Command.to(AgentNodes.FINISH), kept, next);
    }

    private Command with(Command command, List<Message> kept, AgentRunState next) {
      return command.with(context.with(kept)).with(spent(context)).with(progress(next));
    }
  }

  /// The spending of this turn, also where it failed.
  private static Update spent(TurnContext context) {
    var spend = context.spentAsking();
    return spend.equals(Spend.NONE) ? new Update(List.of()) : Update.of(AgentChannels.SPEND, spend);
  }

  private static Update progress(AgentRunState next) {
    return Update.of(AgentRunState.CHANNEL, next);
  }

  private Command finish(
      StopReason reason, String text, TurnContext context, List<? extends Message> kept) {
    return Command.to(AgentNodes.FINISH)
        .with(context.with(kept))
        .with(spent(context))
        .with(progress(context.runState().ended(reason, text, Optional.empty())));
  }

  private void limitMet(StopReason reason, TurnContext context) {
    context.emit(
        new AgentEvent.LimitMet(spec.name(), reason, context.modelCalls(), context.toolCalls()));
  }

  private static LimitReached limitReached(StopReason reason, TurnContext context) {
    return new LimitReached(
        reason, context.agent(), context.modelCalls(), context.toolCalls(), context.usage());
  }

  private boolean failsAtLimits() {
    return spec.limits().onLimit() == OnLimit.FAIL;
  }

  /// Ends at a limit: with an error, or with what there is.
  private NodeResult stopped(StopReason reason, TurnContext context) {
    limitMet(reason, context);
    if (failsAtLimits()) throw limitReached(reason, context);
    var text = ModelInvoker.lastText(context.conversation());
    return finish(reason, text, context, List.of());
  }

  /// An agent that another one called tells it of its failure; any other one throws.
  private NodeResult failed(Exception error, TurnContext context) throws Exception {
    if (error instanceof InterruptedException) throw error;
    for (var one : spec.middleware().reversed()) {
      try {
        one.onError(error, context);
      } catch (Exception e) {
        error.addSuppressed(e);
      }
    }
    var code = MiddlewareHooks.code(error);
    context.emit(new AgentEvent.AgentFailed(spec.name(), context.run(), code));
    boolean isPartial = error instanceof BudgetExceeded && !failsAtLimits();
    if (isPartial) return stopped(StopReason.BUDGET_LIMIT, context);
    if (spec.caller() == null || !(error instanceof SuperstepException)) throw error;
    var text = "The agent failed: " + error.getMessage();
    var reason = error instanceof LimitReached limit ? limit.reason() : StopReason.FAILED;
    return Command.to(AgentNodes.FINISH)
        .with(context.spending())
        .with(progress(context.runState().ended(reason, text, Optional.of(code))));
  }
}
