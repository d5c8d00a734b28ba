package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.SteeringState;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.budget.Spend;
import dev.superstep.call.CallContext;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelResolver;
import dev.superstep.model.PromptLayout;
import dev.superstep.model.RequestDigest;
import dev.superstep.model.ResolvedModel;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ToolSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Makes the request of a turn, and asks the model through all middleware. Safe for many threads.
final class ModelInvoker {
  static final String INSTRUCTIONS = "instructions";

  private static final String PASSED_OVER = "model.passed-over";

  private final AgentSpec spec;
  // Whether no code of others runs between a reply and the end of its turn.
  private final boolean isLast;
  private volatile @Nullable Prefix prefix;

  ModelInvoker(AgentSpec spec) {
    this.spec = spec;
    this.isLast = spec.middleware().stream().noneMatch(ModelInvoker::follows);
  }

  private static boolean follows(Middleware one) {
    return one.holdsDeltas()
        || MiddlewareHooks.overrides(one, "afterModel", ChatReply.class, AgentContext.class);
  }

  /// The result of a turn, as it is saved.
  ///
  /// @param spend what all attempts took
  /// @param carried whether the answer was to come as the arguments of a tool
  record Turned(
      ChatReply reply, Spend spend, ResolvedModel model, String prefix, boolean carried) {}

  /// Asks, or gives what was said when this was asked before. Null if a middleware decided that the
  /// model is not asked.
  @Nullable Turned ask(TurnContext context, Optional<Duration> within) throws Exception {
    var conversation = CompleteConversations.of(context).complete(context.conversation());
    var request = request(conversation, context.steered(), context.labels());
    if (within.isPresent() && within.get().compareTo(request.timeout()) < 0) {
      request = request.withTimeout(within.get());
    }
    for (var one : spec.middleware()) {
      var before = request;
      request =
          MiddlewareHooks.ask(one, "beforeModel", context, () -> one.beforeModel(before, context));
      if (context.asked() != null) return null;
    }
    var resolved = resolved(request, context);
    boolean carried = spec.form().isCarried(resolved.model().profile(), !request.tools().isEmpty());
    var asked = spec.form().asked(request, carried);
    var prefix = prefix(asked, context);
    var node = context.node();
    var key = node.isPersistent() ? RequestDigest.of(asked) : "";
    Callable<Turned> asking =
        () -> {
          context.recallSpending();
          context.model(resolved.model());
          var reply = invoke(0, asked, context);
          return new Turned(reply, context.spentAsking(), resolved.how(), prefix, carried);
        };
    return isLast && node instanceof CallContext own
        ? own.lastCall("model", key, Turned.class, asking)
        : node.call("model", key, Turned.class, asking);
  }

  private ChatRequest request(
      List<Message> conversation, SteeringState steered, Map<String, String> labels) {
    var prompt = spec.prompt();
    var instructions = steered.instructions().orElse(prompt.instructions());
    var leading = leading(instructions);
    if (leading.isEmpty() && conversation.isEmpty()) {
      throw new ModelException(
          ModelException.Kind.BAD_REQUEST,
          "Agent `%s` has neither instructions nor a conversation. Give it a message."
              .formatted(spec.name()));
    }
    var request =
        ChatRequest.of(leading, conversation)
            .withTools(offeredTools(steered))
            .withPrefix(leading.size(), prompt.cache());
    for (var label : labels.entrySet()) {
      request = request.withLabel(label.getKey(), label.getValue());
    }
    return prompt.request().apply(request);
  }

  /// The messages before each conversation.
  private List<Message> leading(String instructions) {
    var examples = spec.prompt().examples();
    if (instructions.isBlank()) return examples;
    var system = new SystemMessage(INSTRUCTIONS, instructions);
    if (examples.isEmpty()) return List.of(system);
    var leading = new ArrayList<Message>(examples.size() + 1);
    leading.add(system);
    leading.addAll(examples);
    return leading;
  }

  private List<ToolSpec> offeredTools(SteeringState steered) {
    var shown = spec.calling().shown();
    if (steered.onlyTools().isEmpty()) return shown;
    var only = steered.onlyTools().get();
    return shown.stream().filter(tool -> only.contains(tool.name())).toList();
  }

  private ModelResolver.Resolved resolved(ChatRequest request, TurnContext context) {
    var wish = context.wish();
    var needs = wish.needs().isEmpty() ? request.needs() : wish.needs();
    var override = wish.override().or(() -> context.steered().model());
    var before = wish.before().isPresent() ? wish.before() : context.runState().model();
    var resolved =
        spec.models().resolve(new ModelResolver.Wish(override, wish.hints(), before, needs));
    var how = resolved.how();
    override
        .filter(_ -> how.source() != ResolvedModel.Source.OVERRIDE)
        .ifPresent(name ->
            context.emit(
                new AgentEvent.OverrideSkipped(
                    spec.name(), name, how.name(), String.join("; ", how.passedOver()))));
    if (!context.runState().model().equals(Optional.of(how))) {
      if (how.source() == ResolvedModel.Source.FALLBACK) fellBack(how, context);
      context.emit(new AgentEvent.ModelChosen(spec.name(), how));
    }
    return resolved;
  }

  /// Tells that another model is asked than the first that could have been, and why.
  private void fellBack(ResolvedModel how, TurnContext context) {
    var first = "";
    int attempt = 1;
    for (var one : how.passedOver()) {
      var name = one.substring(0, Math.max(0, one.indexOf(": ")));
      // A model that is taken may be noted, too.
      if (name.equals(how.name())) continue;
      if (first.isEmpty()) first = name;
      attempt++;
      var why = one.substring(name.length() + 2);
      context.emit(new AgentEvent.FallbackSkipped(spec.name(), name, why));
    }
    if (first.isEmpty()) return;
    context.emit(
        new AgentEvent.FallbackSelected(spec.name(), first, how.name(), PASSED_OVER, attempt));
  }

  /// The fingerprint of the prefix; a change from turn to turn is reported with its cause.
  private String prefix(ChatRequest request, TurnContext context) {
    var before = context.runState().prefix();
    if (!context.node().hasListeners() && !context.node().isPersistent()) return before.orElse("");
    var prefix = prefixOf(request);
    if (before.isPresent() && !before.get().isEmpty() && !before.get().equals(prefix)) {
      var segments =
          PromptLayout.of(request).segments().stream().map(PromptLayout.Segment::id).toList();
      var by =
          spec.middleware().stream()
              .filter(one -> one.touches() == Middleware.Touches.PREFIX)
              .map(Middleware::name)
              .toList();
      context.emit(new AgentEvent.CacheLayoutChanged(spec.name(), segments, String.join(", ", by)));
    }
    return prefix;
  }

  private String prefixOf(ChatRequest request) {
    var known = prefix;
    if (known != null && known.isOf(request)) return known.fingerprint();
    var made = Prefix.of(request);
    prefix = made;
    return made.fingerprint();
  }

  /// The stable prefix of a request, and its fingerprint. Most turns have that of the turn before.
  private record Prefix(
      List<ToolSpec> tools, ResponseFormat format, List<Message> messages, String fingerprint) {
    static Prefix of(ChatRequest request) {
      var messages = List.copyOf(messages(request));
      var fingerprint = PromptLayout.prefixOf(request);
      return new Prefix(request.tools(), request.format(), messages, fingerprint);
    }

    boolean isOf(ChatRequest request) {
      return tools.equals(request.tools())
          && format.equals(request.format())
          && messages.equals(messages(request));
    }

    private static List<Message> messages(ChatRequest request) {
      return request.messages().subList(0, request.prefix());
    }
  }

  /// Asks through the middleware from the given one on.
  private ChatReply invoke(int from, ChatRequest request, TurnContext context) throws Exception {
    if (from == spec.middleware().size()) return context.ask(request);
    var one = spec.middleware().get(from);
    return one.aroundModel(request, context, inner -> invoke(from + 1, inner, context));
  }

  /// The reply after all middleware.
  ChatReply after(ChatReply reply, TurnContext context) throws Exception {
    var changed = reply;
    for (var one : spec.middleware().reversed()) {
      var before = changed;
      changed =
          MiddlewareHooks.ask(one, "afterModel", context, () -> one.afterModel(before, context));
    }
    context.publishHeldReply(changed);
    return changed;
  }

  /// The text of the model's last message.
  static String lastText(List<Message> conversation) {
    for (var message : conversation.reversed()) {
      if (message instanceof AssistantMessage reply) return reply.text();
    }
    return "";
  }
}
