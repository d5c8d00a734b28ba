package dev.superstep.graph;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.event.Event;
import dev.superstep.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The context of one task. For the thread of its node.
final class TaskContext implements NodeContext {
  private static final int ID_LENGTH = 10;
  private static final String ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

  private final RunScope scope;
  private final Task task;
  private final int step;
  private final Map<String, Json> answers;
  private final int attempt;
  private final @Nullable Watch watch;
  private int asked;
  private @Nullable Interrupt open;
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
    if (answer != null) return question.answer().decode(answer);
    var type = question.answer().type();
    var encoded = question.payload().encode(payload);
    var interrupt =
        new Interrupt(id, task.id(), task.node(), index, question.name(), type, encoded);
    if (open == null) open = interrupt;
    throw new Suspension(id);
  }

  /// The question that the node left open, even if it caught what should have ended it.
  @Nullable Interrupt open() {
    return open;
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
