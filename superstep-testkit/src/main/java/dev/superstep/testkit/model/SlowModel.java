package dev.superstep.testkit.model;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.testkit.ManualClock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/// A model that takes its time: until a test releases a call, or until the time of a [ManualClock]
/// has passed. Counts who asks at once: for limits of concurrency, time limits and cancelling.
///
/// ```java
/// var model = SlowModel.blocked(ScriptedModel.by(rule));
/// model.awaitCallers(3);                  // three agents wait for it now
/// model.open();
/// assertThat(model.mostAtOnce()).isEqualTo(3);
/// ```
///
/// Safe for many threads; interrupting a caller ends its wait.
public final class SlowModel implements ChatModel {
  private final ChatModel model;
  private final Supplier<Wait> pace;
  private final Gate gate;
  private final Count callers = new Count("callers");
  private final Count started = new Count("calls");

  @FunctionalInterface
  private interface Wait {
    void over() throws InterruptedException;
  }

  private SlowModel(ChatModel model, Supplier<Wait> pace, Gate gate) {
    this.model = model;
    this.pace = pace;
    this.gate = gate;
  }

  /// Each call waits until it is released.
  public static SlowModel blocked(ChatModel model) {
    var gate = new Gate(true);
    return new SlowModel(model, () -> gate::pass, gate);
  }

  /// Each call takes this long on a clock that the test moves.
  public static SlowModel taking(Duration time, ManualClock clock, ChatModel model) {
    Supplier<Wait> pace =
        () -> {
          var end = clock.instant().plus(time);
          return () -> clock.await(end);
        };
    return new SlowModel(model, pace, new Gate(false));
  }

  /// Lets this many calls continue, of those that wait or of those to come.
  public void release(int calls) {
    gate.release(calls);
  }

  /// Lets all calls continue from now on.
  public void open() {
    gate.open();
  }

  /// Waits until this many callers wait for a reply at once.
  ///
  /// @throws AssertionError if they do not come within half a minute
  public void awaitCallers(int least) throws InterruptedException {
    callers.await(least);
  }

  /// Returns the number of calls that wait for a reply now.
  public int callsInFlight() {
    return callers.now();
  }

  /// The most that have waited for a reply at once.
  public int peakCallsInFlight() {
    return callers.most();
  }

  /// Returns the number of calls.
  public int calls() {
    return started.now();
  }

  @Override
  public ModelRef ref() {
    return model.ref();
  }

  @Override
  public ModelProfile profile() {
    return model.profile();
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return model.identity();
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    return slowly(() -> model.call(request));
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    return slowly(() -> model.stream(request, listener));
  }

  @FunctionalInterface
  private interface ReplyCall {
    ChatReply reply() throws InterruptedException;
  }

  private ChatReply slowly(ReplyCall asked) throws InterruptedException {
    // Before anybody is told of the call, who may then move the clock.
    var wait = pace.get();
    started.add(1);
    callers.add(1);
    try {
      wait.over();
      return asked.reply();
    } finally {
      callers.add(-1);
    }
  }
}
