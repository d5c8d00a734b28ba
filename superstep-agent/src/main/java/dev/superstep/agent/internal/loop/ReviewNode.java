package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentChannels;
import dev.superstep.agent.internal.state.AgentNodes;
import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.ApprovedCall;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.Review;
import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.call.CallContext;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.RequestDigest;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.state.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Asks a person about the calls that need it, all at once, and sends what may run. Immutable.
final class ReviewNode implements Node {
  private static final List<String> ALLOWED = List.of("approve", "edit", "reject", "respond");

  private final AgentSpec spec;
  private final ToolCallPolicy policy;

  ReviewNode(AgentSpec spec, ToolCallPolicy policy) {
    this.spec = spec;
    this.policy = policy;
  }

  @Override
  public NodeResult run(State state, NodeContext node) throws Exception {
    var context = new TurnContext(spec, node, state, state.get(AgentRunState.CHANNEL));
    var open = Messages.openCalls(state.get(spec.messages()));
    var callDecisions = policy.callDecisions(open, context);
    var asked = new ArrayList<ToolCallPolicy.ToolCallDecision.Asks>();
    for (var callDecision : callDecisions)
      if (callDecision instanceof ToolCallPolicy.ToolCallDecision.Asks asks) asked.add(asks);
    var steered =
        asked.isEmpty() ? null : context.isCancelled() ? cancelled(asked) : steered(asked, context);
    if (steered != null) return after(callDecisions, steered, context);
    if (asked.isEmpty()) return after(callDecisions, Decided.NOTHING, context);
    var decisions = decisions(node, review(asked, context.conversation()));
    var at = node instanceof CallContext own ? own.approvedAt() : Optional.<Instant>empty();
    return after(callDecisions, new Decided(decisions, at), context);
  }

  /// The decisions about calls, in their order.
  ///
  /// @param at the time at which they were made, as it is recorded, so that a replay sees the same;
  ///   empty if that is not recorded
  private record Decided(List<Review.Decision> decisions, Optional<Instant> at) {
    static final Decided NOTHING = new Decided(List.of(), Optional.empty());
  }

  private static Decided cancelled(List<ToolCallPolicy.ToolCallDecision.Asks> asked) {
    var no = new Review.Decision.Reject(Optional.of(TurnContext.CANCELLED));
    return new Decided(List.copyOf(Collections.nCopies(asked.size(), no)), Optional.empty());
  }

  /// The decisions that arrived by steering, or null if a decision is missing.
  private static @Nullable Decided steered(
      List<ToolCallPolicy.ToolCallDecision.Asks> asked, TurnContext context) throws Exception {
    var inbox = context.inbox();
    if (inbox.isEmpty()) return null;
    var decisions = new LinkedHashMap<String, Review.Decision>();
    var calls = asked.stream().map(ask -> ask.call().id()).collect(Collectors.toSet());
    var commands = inbox.get().pollDecisions(calls);
    for (var command : commands) {
      switch (command.steer()) {
        case Steer.Approve(var call) -> decisions.put(call, new Review.Decision.Approve());
        case Steer.Reject(var call, var message) ->
            decisions.put(call, new Review.Decision.Reject(Optional.of(message)));
        default -> throw new IllegalStateException("not a decision: " + command);
      }
    }
    var all = new ArrayList<Review.Decision>();
    for (var ask : asked) {
      var decision = decisions.get(ask.call().id());
      if (decision != null) all.add(decision);
    }
    if (all.size() < asked.size()) {
      // They were taken, so nobody else would say what became of them.
      for (var command : commands) {
        context.settle(
            inbox.get(), command, Steering.State.SUPERSEDED, "a person decides of all calls");
      }
      return null;
    }
    for (var command : commands) {
      context.beforeSteering(command);
      context.settle(inbox.get(), command, Steering.State.APPLIED, "");
    }
    var node = context.node();
    // A step, so that a replay sees the same.
    var now = node.step("decided", Instant.class, () -> node.clock().instant());
    return new Decided(all, Optional.of(now));
  }

  /// The decisions of a person; one who decides of fewer or more calls than there are is asked
  /// again.
  static List<Review.Decision> decisions(NodeContext node, Review review) {
    int attempts = 10;
    for (int i = 0; i < attempts; i++) {
      var decisions = node.interrupt(Review.QUESTION, review).decisions();
      if (decisions.size() == review.actions().size()) return decisions;
    }
    throw new IllegalArgumentException(
        "there are %d actions, and %d times another number of decisions was given"
            .formatted(review.actions().size(), attempts));
  }

  private static Review review(
      List<ToolCallPolicy.ToolCallDecision.Asks> asked, List<Message> conversation) {
    var actions = new ArrayList<Review.Action>();
    var configs = new LinkedHashMap<String, Review.Config>();
    for (var ask : asked) {
      var call = ask.call();
      var args = Json.parse(call.arguments().isBlank() ? "{}" : call.arguments());
      actions.add(new Review.Action(call.tool(), args, Optional.of(ask.reason())));
      var schema = ask.tool().spec().parameters();
      configs.put(call.tool(), new Review.Config(call.tool(), ALLOWED, Optional.of(schema)));
    }
    var state = RequestDigest.whole(ChatRequest.of(conversation));
    return new Review(actions, List.copyOf(configs.values()), Optional.of(state));
  }

  private NodeResult after(
      List<ToolCallPolicy.ToolCallDecision> callDecisions, Decided decided, TurnContext context) {
    var decisions = decided.decisions().iterator();
    var settled = new ArrayList<ToolCallPolicy.ToolCallDecision>();
    var edited = new LinkedHashMap<String, ToolCall>();
    var added = new ArrayList<Message>();
    var approved = new ArrayList<ApprovedCall>();
    for (var callDecision : callDecisions) {
      if (!(callDecision instanceof ToolCallPolicy.ToolCallDecision.Asks(var call, _, _))) {
        settled.add(callDecision);
        continue;
      }
      switch (decisions.next()) {
        case Review.Decision.Approve _ -> {
          approved.add(ApprovedCall.of(call, context.node(), decided.at()));
          settled.add(policy.approved(call, context));
        }
        case Review.Decision.Edit(var action) -> {
          var other = call.with(action.name(), action.args().text());
          edited.put(call.id(), other);
          approved.add(ApprovedCall.of(other, context.node(), decided.at()));
          settled.add(policy.approved(other, context));
        }
        case Review.Decision.Reject(var message) -> {
          context.emit(new AgentEvent.ToolDenied(spec.name(), call.id(), call.tool()));
          settled.add(
              new ToolCallPolicy.ToolCallDecision.Refused(
                  call, "A person rejected the call." + message.map(m -> " " + m).orElse("")));
        }
        case Review.Decision.Respond(var message) ->
            added.add(new ToolMessage("", call.id(), call.tool(), message, false));
      }
    }
    if (!edited.isEmpty()) added.addFirst(withEdits(edited, context));
    if (settled.isEmpty()) {
      return dev.superstep.node.Command.to(AgentNodes.MODEL).with(context.with(added));
    }
    var update = context.with(added);
    for (var one : approved) update = update.and(AgentChannels.APPROVED, one);
    return policy.sent(settled, context).with(update);
  }

  /// The model's message with the calls that are really made. It has the id of the message, so it
  /// replaces that.
  private static AssistantMessage withEdits(Map<String, ToolCall> edited, TurnContext context) {
    for (var message : context.conversation().reversed()) {
      if (!(message instanceof AssistantMessage reply)) continue;
      return reply.withCalls(
          reply.calls().stream().map(call -> edited.getOrDefault(call.id(), call)).toList());
    }
    throw new IllegalStateException("open calls have a message");
  }
}
