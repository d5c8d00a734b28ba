package dev.superstep.graph;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.event.Event;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.state.State;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The context of one task. For the thread of its node.
final class TaskContext implements NodeContext {
  private static final int ID_LENGTH = 10;
  private static final int STEP_KEY_MAX = 200;
  private static final String ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

  private final RunScope scope;
  private final Task task;
  private final int step;
  private final Map<String, Json> answers;
  private @Nullable Set<String> steps;
  private final int attempt;
  private final @Nullable Watch watch;
  private int asked;
  private boolean learned;
  private List<Interrupt> open = List.of();
  private @Nullable RandomGenerator random;

  /// @param watch over a node whose time is limited
  TaskContext(
      RunScope scope, Task task, int step, Map<String, Json> answers, @Nullable Watch watch) {
    this.scope = scope;
    this.task = task;
    this.step = step;
    this.answers = answers;
    this.attempt = task.attempts();
    this.watch = watch;
  }

  @Override
  public String node() {
    return task.node();
  }

  @Override
  public int step() {
    return step;
  }

  @Override
  public int limit() {
    return scope.limit();
  }

  @Override
  public Activation activation() {
    return task.due().activation();
  }

  @Override
  public String task() {
    return task.id();
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public void heartbeat() {
    if (watch != null) watch.sign(System.nanoTime());
  }

  @Override
  public String run() {
    return scope.run();
  }

  @Override
  public Map<String, String> metadata() {
    return scope.options().metadata();
  }

  @Override
  public <T> T get(ContextKey<T> key) {
    return find(key).orElseThrow(() -> new MissingContextValue(task.node(), key));
  }

  @Override
  public <T> Optional<T> find(ContextKey<T> key) {
    return Optional.ofNullable(scope.options().given(key));
  }

  @Override
  public InstantSource clock() {
    return scope.options().clock();
  }

  @Override
  public RandomGenerator random() {
    var made = random;
    if (made == null) {
      made = new SplittableRandom(task.id().hashCode() * 0x9E3779B97F4A7C15L);
      random = made;
    }
    return made;
  }

  @Override
  public <P, A> A interrupt(Question<P, A> question, P payload) {
    if (!scope.isKept()) throw new InterruptNeedsCheckpointer(task.node());
    if (!question.equals(scope.graph().question(question.name()))) {
      throw new UndeclaredQuestion(scope.graph().name(), question.name());
    }
    int index = asked++;
    var id = id(task.id(), index);
    var answer = answers.get(id);
    if (answer != null) {
      learned = true;
      return question.answer().decode(answer);
    }
    var type = question.answer().type();
    var encoded = question.payload().encode(payload);
    var interrupt =
        new Interrupt(id, task.id(), task.node(), index, question.name(), type, encoded);
    if (open.isEmpty()) open = List.of(interrupt);
    throw new Suspension(id);
  }

  /// Runs the graph inside this node, or lets it go on, and returns the node's result. If it asks,
  /// the node is suspended with all its questions.
  NodeResult nested(Supplier<Input> input, State around) throws InterruptedException {
    learned |= !answers.isEmpty();
    var nested = new Nested(new Enclosing(scope, task, watch));
    return switch (nested.run(input, around, answers)) {
      case Outcome.Completed(var state) -> nested.result((Snapshot) state);
      case Outcome.Interrupted(var questions) -> {
        open = questions;
        throw new Suspension(questions.getFirst().id());
      }
      case Outcome.Stopped(var reason, _) -> throw new InterruptedException(reason.name());
    };
  }

  /// Whether the node would return the same in another run, as far as its use of this can tell: it
  /// learned nothing from people, and somebody still waits for it.
  boolean isRepeatable() {
    return !learned && open.isEmpty() && (watch == null || !watch.isOver());
  }

  /// The questions that the node left open, even if it caught what should have ended it.
  List<Interrupt> open() {
    return open;
  }

  @Override
  public <T> T step(String key, Class<T> type, Callable<T> effect) throws Exception {
    if (key.isBlank() || key.length() > STEP_KEY_MAX) {
      throw new IllegalArgumentException(
          "key must have 1 to " + STEP_KEY_MAX + " characters, was `" + key + "`");
    }
    var codec = Codec.of(type);
    // A node that caught its suspension must not go on to act.
    if (!open.isEmpty()) throw new Suspension(open.getFirst().id());
    var used = steps == null ? new HashSet<String>() : steps;
    steps = used;
    if (!used.add(key)) throw new StepRepeated(task.node(), key);
    var journal = task.journal();
    var known = journal == null ? null : journal.find(key);
    if (known != null) return codec.decode(known);
    var result =
        Objects.requireNonNull(
            effect.call(), () -> "step `" + key + "` of node `" + task.node() + "` gave null");
    if (journal == null) return result;
    // Read back, so that the node sees the same whether the effect ran or not.
    return codec.decode(journal.keep(key, codec.encode(result)));
  }

  @Override
  public void emit(String name, Object payload) {
    heartbeat();
    if (!scope.announcer().isHeard() || (watch != null && watch.isOver())) return;
    var json = Json.of(payload);
    scope
        .announcer()
        .say(step, at -> new Event.NodeEmitted(at, task.node(), task.id(), name, json));
  }

  /// Short enough to type, long enough (50 bits) not to collide within a thread.
  private static String id(String task, int index) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var hash = digest.digest((task + "#" + index).getBytes(StandardCharsets.UTF_8));
      var id = new StringBuilder();
      for (int i = 0; i < ID_LENGTH; i++) id.append(ID_LETTERS.charAt(hash[i] & 31));
      return id.toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
