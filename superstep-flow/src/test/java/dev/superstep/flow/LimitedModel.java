package dev.superstep.flow;

import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.graph.Drain;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.Usage;
import dev.superstep.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/// Calls whatever it may, as often as it may, and is steered, drained and broken meanwhile. What it
/// does depends on the run of its agent and on the number of the request, not on who comes first.
/// Safe for many threads.
final class LimitedModel implements ChatModel {
  private static final int CALLS_MAX = 4;
  private static final int OUTPUT_MAX = 60;

  private final LimitedAgent agent;
  private final Around around;

  /// What a run has around its agents.
  ///
  /// @param stuck the request at which a model never replies, counted for its agent; 0 is none
  record Around(
      CallBooks books,
      ManualClock clock,
      Holder<Steering> steering,
      Holder<Drain> drain,
      int stuck) {}

  /// What each resumption has another one of.
  static final class Holder<T> {
    private volatile T value;

    Holder(T first) {
      value = first;
    }

    T get() {
      return value;
    }

    void set(T next) {
      value = next;
    }
  }

  LimitedModel(LimitedAgent agent, Around around) {
    this.agent = agent;
    this.around = around;
  }

  @Override
  public ModelRef ref() {
    return new ModelRef("scripted", agent.name());
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    var path = path(request);
    int number = around.books().asked(path, agent, around.clock().instant());
    var random = new SplittableRandom((path + "#" + number).hashCode() * 0x9E3779B97F4A7C15L);
    var usage = usage(request, random);
    boolean isTurn = false;
    var took = Usage.NONE;
    try {
      disturb(random);
      if (number == around.stuck()) new CountDownLatch(1).await();
      for (int i = random.nextInt(30); i > 0; i--) Thread.yield();
      around.clock().advance(Duration.ofSeconds(random.nextInt(10)));
      if (random.nextInt(100) < agent.trouble().failures()) {
        var failure = failure(random);
        // A vendor that is busy has read the prompt and made nothing.
        boolean isBusy = failure instanceof ModelException e && e.isRetryable();
        took = isBusy ? new Usage(usage.input(), 0, 0, 0) : usage;
        throw failure;
      }
      took = usage;
      isTurn = true;
      return reply(path, number, usage, random);
    } finally {
      around.books().replied(path, took, isTurn);
    }
  }

  private void disturb(SplittableRandom random) {
    if (random.nextInt(100) < agent.trouble().drained()) around.drain().get().start();
    if (random.nextInt(100) >= agent.trouble().steered()) return;
    switch (random.nextInt(5)) {
      case 0 -> {
        around.books().cancelled();
        steer(new Steer.Cancel("enough"));
      }
      case 1 -> steer(new Steer.Pause("wait"));
      case 2 -> steer(new Steer.ConstrainTools(Set.of("look")));
      case 3 -> steer(new Steer.UpdateBudget(Optional.of(3L), Optional.empty()));
      default -> steer(new Steer.AddInstruction("Be quick."));
    }
  }

  private void steer(Steer command) {
    around.steering().get().human("ada", command);
  }

  private static RuntimeException failure(SplittableRandom random) {
    return switch (random.nextInt(3)) {
      case 0 -> new ModelException(ModelException.Kind.OVERLOADED, "The model is busy.");
      case 1 -> new ModelException(ModelException.Kind.REFUSED, "The model declined.");
      default -> new IllegalStateException("The model broke down.");
    };
  }

  private ChatReply reply(String path, int number, Usage usage, SplittableRandom random) {
    var calls = calls(path, number, random);
    var text = calls.isEmpty() ? "{\"text\":\"done\"}" : "";
    var message = new AssistantMessage("", text, calls);
    var finish = calls.isEmpty() ? ChatReply.Finish.STOP : ChatReply.Finish.TOOL_CALLS;
    return new ChatReply(message, usage, finish, ref(), ChatReply.Source.LIVE);
  }

  /// The newest task is the name of the run, by itself or as what a flow was given.
  private static String path(ChatRequest request) {
    for (var message : request.messages().reversed()) {
      if (!(message instanceof UserMessage said)) continue;
      var text = said.text();
      if (text.startsWith("{")) return Json.parse(text).as(LimitsPropertyTest.Job.class).path();
      if (text.startsWith("run")) return text;
    }
    throw new IllegalStateException("no task");
  }

  private static Usage usage(ChatRequest request, SplittableRandom random) {
    long input = TokenCounter.approximate().count(request);
    long most = Math.min(OUTPUT_MAX, request.maxTokens().orElse(OUTPUT_MAX));
    return new Usage(input, 0, random.nextLong(most + 1), 0);
  }

  private List<ToolCall> calls(String path, int number, SplittableRandom random) {
    if (random.nextInt(4) == 0) return List.of();
    var calls = new ArrayList<ToolCall>();
    int size = random.nextInt(1, CALLS_MAX + 1);
    for (int i = 0; i < size; i++) {
      var id = "c" + number + "-" + i;
      var inside = path + "/" + id;
      int which = random.nextInt(agent.helpers().size() + 1);
      if (which == agent.helpers().size()) {
        var tool = random.nextInt(100) < agent.trouble().badTools() ? "unknown" : "look";
        calls.add(new ToolCall(id, tool, Json.of(new LimitsPropertyTest.Job(inside)).text()));
      } else {
        calls.add(task(id, inside, agent.helpers().get(which)));
      }
    }
    return calls;
  }

  private record Task(String task) {}

  private static ToolCall task(String id, String path, LimitedAgent helper) {
    var given =
        switch (helper.called()) {
          case AGENT, REMEMBERING, TOOL -> Json.of(new Task(path));
          case FLOW, GRAPH -> Json.of(new LimitsPropertyTest.Job(path));
        };
    return new ToolCall(id, helper.tool(), given.text());
  }
}
