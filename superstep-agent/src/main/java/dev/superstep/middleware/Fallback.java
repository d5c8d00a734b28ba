package dev.superstep.middleware;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.model.Capability;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ResponseFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Asks other models, in order, when the one of a turn fails in a way that another one may not:
/// everything but a model that declines to answer and a URL that is none. A model that cannot do
/// what the request needs is passed over. When all have failed, the last error is thrown, with the
/// others suppressed in it.
///
/// What was added to the agent after it works on each model: with `middleware(Fallback.to(other),
/// Retrying.times(3))`, each is tried three times.
///
/// Immutable, safe for many threads.
public final class Fallback implements Middleware {
  private final List<ChatModel> others;
  private final Predicate<ModelException> when;

  private Fallback(List<ChatModel> others, Predicate<ModelException> when) {
    this.others = others;
    this.when = when;
  }

  /// Falls back to these models, in this order.
  public static Fallback to(ChatModel... others) {
    if (others.length == 0) throw new IllegalArgumentException("others must hold a model");
    return new Fallback(List.of(others), Fallback::isWorthwhile);
  }

  /// Returns a copy that falls back after other failures.
  public Fallback when(Predicate<ModelException> worthwhile) {
    return new Fallback(others, worthwhile);
  }

  private static boolean isWorthwhile(ModelException error) {
    return switch (error.kind()) {
      case UNAVAILABLE, AUTH, QUOTA, RATE_LIMITED, OVERLOADED, TIMEOUT, TRANSPORT, MALFORMED ->
          true;
      case CONTEXT_LENGTH, BAD_REQUEST, TOO_LARGE -> true;
      // To ask around until somebody agrees is for users to decide.
      case REFUSED, BAD_URL -> false;
    };
  }

  @Override
  public Touches touches() {
    return Touches.METADATA;
  }

  @Override
  public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    var first = context.model();
    var errors = new ArrayList<ModelException>();
    var waiting = others.iterator();
    while (true) {
      try {
        return next.call(request);
      } catch (ModelException e) {
        for (var before : errors) e.addSuppressed(before);
        errors.add(e);
        var chosen = when.test(e) ? able(waiting, request, context) : Optional.<ChatModel>empty();
        if (chosen.isEmpty()) {
          // Whoever is around may ask the first one once more.
          context.model(first);
          throw e;
        }
        publish(chosen.get(), e, errors.size() + 1, context);
        context.model(chosen.get());
      }
    }
  }

  private static void publish(
      ChatModel chosen, ModelException e, int attempt, AgentContext context) {
    var failed = context.model().ref().url();
    context.emit(
        new AgentEvent.FallbackSelected(
            context.agent(), failed, chosen.ref().url(), e.code(), attempt));
  }

  /// The next model that can do what is asked.
  private static Optional<ChatModel> able(
      java.util.Iterator<ChatModel> waiting, ChatRequest request, AgentContext context) {
    while (waiting.hasNext()) {
      var model = waiting.next();
      var why = why(model, request);
      if (why.isEmpty()) return Optional.of(model);
      context.emit(
          new AgentEvent.FallbackSkipped(
              context.agent(), model.ref().url(), String.join("; ", why)));
    }
    return Optional.empty();
  }

  private static List<String> why(ChatModel model, ChatRequest request) {
    var profile = model.profile();
    var why = new ArrayList<>(profile.problems(request, 0));
    if (!profile.has(request.needs())) why.add("it is not known to have " + request.needs());
    boolean isFormed = request.format() instanceof ResponseFormat.JsonSchema;
    if (isFormed && profile.lacks(Capability.STRUCTURED_OUTPUT)) {
      why.add("it cannot be held to the form of the answer");
    }
    return why;
  }

  @Override
  public String toString() {
    return "Fallback" + others.stream().map(ChatModel::ref).toList();
  }
}
