package dev.superstep.testkit.model;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/// A model that fails now and then, as a test says: for retries, fallbacks and limits.
///
/// ```java
/// var model = FlakyModel.first(2, ModelException.Kind.OVERLOADED, ScriptedModel.saying("ok"));
/// ```
///
/// Which call fails depends on its number only. Safe for many threads.
public final class FlakyModel implements ChatModel {
  private final ChatModel model;
  private final IntFunction<Optional<ModelException>> plan;
  private final int pieces;
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();

  private FlakyModel(ChatModel model, IntFunction<Optional<ModelException>> plan, int pieces) {
    this.model = model;
    this.plan = plan;
    this.pieces = pieces;
  }

  /// The first calls fail, the others go to the model.
  public static FlakyModel first(int failing, ModelException.Kind kind, ChatModel model) {
    return by(call -> call <= failing ? failure(kind, call) : Optional.empty(), model);
  }

  /// Each n-th call fails.
  public static FlakyModel every(int nth, ModelException.Kind kind, ChatModel model) {
    if (nth < 1) throw new IllegalArgumentException("nth must be at least 1, was " + nth);
    return by(call -> call % nth == 0 ? failure(kind, call) : Optional.empty(), model);
  }

  /// About this many percent of the calls fail, each with one of these kinds: the same ones for the
  /// same seed.
  public static FlakyModel seeded(
      long seed, int percent, List<ModelException.Kind> kinds, ChatModel model) {
    var known = List.copyOf(kinds);
    return by(
        call -> {
          var random = new SplittableRandom(seed * 31 + call);
          random.nextInt();
          return random.nextInt(100) < percent
              ? failure(known.get(random.nextInt(known.size())), call)
              : Optional.empty();
        },
        model);
  }

  /// A call fails if the plan has an exception for its number, which counts from 1.
  public static FlakyModel by(IntFunction<Optional<ModelException>> plan, ChatModel model) {
    return new FlakyModel(model, plan, 0);
  }

  /// Returns a copy with the plan at its start, whose streamed replies break off after this many
  /// pieces.
  public FlakyModel afterPieces(int told) {
    return new FlakyModel(model, plan, told);
  }

  private static Optional<ModelException> failure(ModelException.Kind kind, int call) {
    return Optional.of(new ModelException(kind, "Call " + call + " fails, as the test said."));
  }

  /// Returns the number of calls.
  public int calls() {
    return calls.get();
  }

  /// Returns the number of failures.
  public int failures() {
    return failures.get();
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
    var failure = next();
    if (failure.isPresent()) throw failure.get();
    return model.call(request);
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    var failure = next();
    if (failure.isEmpty()) return model.stream(request, listener);
    if (pieces > 0) model.stream(request, new BreaksOff(listener, pieces, failure.get()));
    throw failure.get();
  }

  private Optional<ModelException> next() {
    var failure = plan.apply(calls.incrementAndGet());
    if (failure.isPresent()) failures.incrementAndGet();
    return failure;
  }

  /// Hears some pieces, then fails. For one thread.
  private static final class BreaksOff implements DeltaListener {
    private final DeltaListener listener;
    private final ModelException failure;
    private int left;

    BreaksOff(DeltaListener listener, int pieces, ModelException failure) {
      this.listener = listener;
      this.left = pieces;
      this.failure = failure;
    }

    @Override
    public void onText(String text) {
      countPiece();
      listener.onText(text);
    }

    @Override
    public void onThinking(String text) {
      countPiece();
      listener.onThinking(text);
    }

    @Override
    public void onToolCall(ToolCallPiece piece) {
      countPiece();
      listener.onToolCall(piece);
    }

    private void countPiece() {
      if (left-- == 0) throw failure;
    }
  }
}
