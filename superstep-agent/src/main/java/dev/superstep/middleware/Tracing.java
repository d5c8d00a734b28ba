package dev.superstep.middleware;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.steering.Steering;
import dev.superstep.agent.steering.SteeringCommand;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.node.Question;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPiece;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.List;

/// Another middleware that tells how long each of its hooks took, as `middleware.completed`; of an
/// `around` hook, without what is further inside. Safe for many threads, as that one is.
///
/// ```java
/// Agent.named("support").middleware(Tracing.all(Retrying.times(3), Caching.in(cache)))
/// ```
public final class Tracing implements Middleware {
  private final Middleware inner;

  private Tracing(Middleware inner) {
    this.inner = inner;
  }

  /// Wraps a middleware so that it is traced.
  public static Tracing of(Middleware middleware) {
    return new Tracing(middleware);
  }

  /// Several, each traced, in their order.
  public static Middleware[] all(Middleware... middleware) {
    var traced = new Middleware[middleware.length];
    for (int i = 0; i < traced.length; i++) traced[i] = of(middleware[i]);
    return traced;
  }

  @FunctionalInterface
  private interface Hook<T> {
    T run() throws Exception;
  }

  /// Time that is spent further inside.
  private static final class Inside {
    private long nanos;

    <T> T run(Hook<T> next) throws Exception {
      long start = System.nanoTime();
      try {
        return next.run();
      } finally {
        nanos += System.nanoTime() - start;
      }
    }
  }

  private <T> T timed(String hook, AgentContext context, Inside inside, Hook<T> work)
      throws Exception {
    if (!context.node().hasListeners()) return work.run();
    long start = System.nanoTime();
    try {
      return work.run();
    } finally {
      var took = Duration.ofNanos(Math.max(0, System.nanoTime() - start - inside.nanos));
      context.emit(new AgentEvent.MiddlewareCompleted(context.agent(), inner.name(), hook, took));
    }
  }

  @FunctionalInterface
  private interface Effect {
    void run() throws Exception;
  }

  private void timed(String hook, AgentContext context, Effect work) throws Exception {
    timed(
        hook,
        context,
        new Inside(),
        () -> {
          work.run();
          return true;
        });
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public Touches touches() {
    return inner.touches();
  }

  @Override
  public List<Tool> tools() {
    return inner.tools();
  }

  @Override
  public List<Channel<?, ?>> channels() {
    return inner.channels();
  }

  @Override
  public List<Question<?, ?>> questions() {
    return inner.questions();
  }

  @Override
  public void beforeAgent(AgentContext context) throws Exception {
    timed("beforeAgent", context, () -> inner.beforeAgent(context));
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) throws Exception {
    return timed("beforeModel", context, new Inside(), () -> inner.beforeModel(request, context));
  }

  @Override
  public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    var inside = new Inside();
    return timed(
        "aroundModel",
        context,
        inside,
        () -> inner.aroundModel(request, context, r -> inside.run(() -> next.call(r))));
  }

  @Override
  public boolean retriesModel() {
    return inner.retriesModel();
  }

  @Override
  public boolean receivesDeltas() {
    return inner.receivesDeltas();
  }

  @Override
  public ChatModel.DeltaListener onDelta(AgentContext context) {
    return inner.onDelta(context);
  }

  @Override
  public ChatModel.DeltaListener translateDeltas(ChatModel.DeltaListener to, AgentContext context) {
    return inner.translateDeltas(to, context);
  }

  @Override
  public boolean holdsDeltas() {
    return inner.holdsDeltas();
  }

  @Override
  public ChatReply publish(ChatReply reply) {
    return inner.publish(reply);
  }

  @Override
  public ChatReply afterModel(ChatReply reply, AgentContext context) throws Exception {
    return timed("afterModel", context, new Inside(), () -> inner.afterModel(reply, context));
  }

  @Override
  public ToolCall beforeTool(ToolCall call, AgentContext context) throws Exception {
    return timed("beforeTool", context, new Inside(), () -> inner.beforeTool(call, context));
  }

  @Override
  public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
      throws Exception {
    var inside = new Inside();
    return timed(
        "aroundTool",
        context,
        inside,
        () -> inner.aroundTool(call, context, c -> inside.run(() -> next.call(c))));
  }

  @Override
  public void onToolDelta(ToolPiece piece, AgentContext context) {
    inner.onToolDelta(piece, context);
  }

  @Override
  public ToolResult afterTool(ToolCall call, ToolResult result, AgentContext context)
      throws Exception {
    return timed("afterTool", context, new Inside(), () -> inner.afterTool(call, result, context));
  }

  @Override
  public void beforeSteering(SteeringCommand command, AgentContext context) throws Exception {
    timed("beforeSteering", context, () -> inner.beforeSteering(command, context));
  }

  @Override
  public void afterSteering(SteeringCommand command, Steering.State state, AgentContext context)
      throws Exception {
    timed("afterSteering", context, () -> inner.afterSteering(command, state, context));
  }

  @Override
  public void afterAgent(AgentContext context) throws Exception {
    timed("afterAgent", context, () -> inner.afterAgent(context));
  }

  @Override
  public void onError(Exception error, AgentContext context) throws Exception {
    timed("onError", context, () -> inner.onError(error, context));
  }

  @Override
  public String toString() {
    return "Tracing[" + inner + "]";
  }
}
