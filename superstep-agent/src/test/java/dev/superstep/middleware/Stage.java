package dev.superstep.middleware;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/// A run of an agent with a time that passes only where somebody waits, and what was heard of it.
final class Stage {
  static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

  final List<AgentEvent> heard = new CopyOnWriteArrayList<>();
  final StringBuffer text = new StringBuffer();
  final List<Duration> slept = new CopyOnWriteArrayList<>();
  final AtomicLong nanos = new AtomicLong();
  private final AtomicReference<RunOptions> base = new AtomicReference<>(RunOptions.defaults());

  Stage on(RunOptions options) {
    base.set(options);
    return this;
  }

  RunOptions options() {
    return base.get()
        .listener(AgentEvent.listener(heard::add))
        .listener(event -> {
          if (event instanceof Event.TextArrived said) text.append(said.piece().text()).append('|');
        })
        .clock(() -> START.plusNanos(nanos.get()))
        .sleeper(time -> {
          slept.add(time);
          nanos.addAndGet(time.toNanos());
        });
  }

  AgentResult<String> run(AgentBuilder agent) throws InterruptedException {
    return agent.build().run("Hi", options());
  }

  <E extends AgentEvent> List<E> heard(Class<E> type) {
    return heard.stream().filter(type::isInstance).map(type::cast).toList();
  }

  List<String> names() {
    return heard.stream().map(AgentEvent::name).toList();
  }

  static AgentBuilder agent(ChatModel model, Middleware... middleware) {
    return Agent.named("test").model(model).middleware(middleware);
  }

  static ToolCall call(String id, String tool, String arguments) {
    return new ToolCall(id, tool, arguments);
  }

  static ModelException error(ModelException.Kind kind) {
    return new ModelException(kind, "as the test wants it");
  }

  static ModelException asksToWait(Duration time) {
    return new ModelException(ModelException.Kind.RATE_LIMITED, "slow down", time, null);
  }

  /// A model that fails with each of these in turn before it does what it was told.
  static Flaky flaky(String url, ChatModel then, RuntimeException... errors) {
    return new Flaky(
        ModelRef.parse(url),
        ModelProfile.UNKNOWN,
        then,
        new ConcurrentLinkedQueue<>(List.of(errors)));
  }

  /// Fails first.
  record Flaky(
      ModelRef ref,
      ModelProfile profile,
      ChatModel then,
      ConcurrentLinkedQueue<RuntimeException> errors)
      implements ChatModel {
    Flaky known(ModelProfile other) {
      return new Flaky(ref, other, then, errors);
    }

    @Override
    public Optional<ModelIdentity> identity() {
      return then.identity();
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      var error = errors.poll();
      if (error != null) throw error;
      var reply = then.call(request);
      return new ChatReply(
          reply.message(), reply.usage(), reply.finish(), ref, reply.source(), reply.receipt());
    }
  }

  static ScriptedModel saying(String... texts) {
    return ScriptedModel.saying(texts);
  }
}
