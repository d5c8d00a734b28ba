package dev.superstep.testkit.agent;

import dev.superstep.json.Json;
import dev.superstep.lock.Mutex;
import dev.superstep.schema.JsonSchema;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.function.Function;

/// A tool that only records its calls, and answers as the test says.
///
/// ```java
/// var pay = FakeTool.named("pay").returning("paid", "paid again");
/// var agent = Agent.named("shop").model(model).tools(pay.tool()).build();
/// ...
/// assertThat(pay.arguments()).containsExactly("{\"amount\":3}");
/// ```
///
/// Safe for many threads; say how it answers before it is called.
public final class FakeTool {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final JsonSchema ANYTHING =
      JsonSchema.parse(Json.parse("{\"type\":\"object\",\"additionalProperties\":true}"));

  private final Mutex lock = new Mutex();
  private final Condition news = lock.newCondition();
  private final List<Call> calls = new ArrayList<>();
  private final Tool tool;
  private Function<Call, ToolResult> answers = _ -> ToolResult.of("ok");
  private boolean isBlocked;
  private int leaves;

  /// A call that was made.
  ///
  /// @param number counts the calls of the tool, from 1
  /// @param key the same for each attempt at the call, and for no other call
  public record Call(int number, String id, Json arguments, String key) {}

  private FakeTool(String name) {
    this.tool =
        Tool.of(name, "Stands in for `" + name + "`.", ANYTHING, this::called).withoutTimeout();
  }

  private <A extends Record> FakeTool(String name, Class<A> arguments) {
    this.tool =
        Tool.of(
                name,
                "Stands in for `" + name + "`.",
                arguments,
                (given, context) -> called(Json.of(given), context))
            .withoutTimeout();
  }

  /// A tool that takes any arguments and says `ok`.
  public static FakeTool named(String name) {
    return new FakeTool(name);
  }

  /// A tool that takes what a record says; other arguments do not reach it.
  public static <A extends Record> FakeTool named(String name, Class<A> arguments) {
    return new FakeTool(name, arguments);
  }

  /// Says these texts, one a call, and then the last of them.
  public FakeTool returning(String... texts) {
    var known = List.of(texts);
    return by(call -> ToolResult.of(known.get(Math.min(call.number(), known.size()) - 1)));
  }

  /// Answers each call by a rule, which may throw.
  public FakeTool by(Function<Call, ToolResult> rule) {
    try (var _ = lock.hold()) {
      answers = rule;
      return this;
    }
  }

  /// Fails each time.
  public FakeTool failing(String message) {
    return by(_ -> {
      throw new IllegalStateException(message);
    });
  }

  /// Fails the first times.
  public FakeTool failingFirst(int times, String message) {
    try (var _ = lock.hold()) {
      var then = answers;
      return by(call -> {
        if (call.number() <= times) throw new IllegalStateException(message);
        return then.apply(call);
      });
    }
  }

  /// Holds each call back until it is released.
  public FakeTool blocked() {
    try (var _ = lock.hold()) {
      isBlocked = true;
      return this;
    }
  }

  /// Lets this many calls continue.
  public void release(int most) {
    try (var _ = lock.hold()) {
      leaves += most;
      news.signalAll();
    }
  }

  /// Waits until it was called this often.
  ///
  /// @throws AssertionError if that does not come within half a minute
  public void awaitCalls(int least) throws InterruptedException {
    long left = PATIENCE.toNanos();
    try (var _ = lock.holdInterruptibly()) {
      while (calls.size() < least) {
        if (left <= 0) {
          throw new AssertionError(
              "%d calls of `%s` were waited for, only these came: %s"
                  .formatted(least, tool.name(), calls));
        }
        left = news.awaitNanos(left);
      }
    }
  }

  /// Returns the tool for agents.
  public Tool tool() {
    return tool;
  }

  /// The calls, in the order in which they came.
  public List<Call> calls() {
    try (var _ = lock.hold()) {
      return List.copyOf(calls);
    }
  }

  /// The arguments of the calls, as JSON.
  public List<String> arguments() {
    return calls().stream().map(call -> call.arguments().text()).toList();
  }

  private ToolResult called(Json arguments, ToolContext context) throws InterruptedException {
    Call call;
    Function<Call, ToolResult> answer;
    try (var _ = lock.holdInterruptibly()) {
      call = new Call(calls.size() + 1, context.callId(), arguments, context.idempotencyKey());
      calls.add(call);
      news.signalAll();
      while (isBlocked && leaves == 0) news.await();
      if (isBlocked) leaves--;
      answer = answers;
    }
    return answer.apply(call);
  }
}
