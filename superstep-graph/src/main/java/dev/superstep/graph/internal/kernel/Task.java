package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.Memory;
import dev.superstep.checkpoint.TaskId;
import dev.superstep.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One activation of a node in one superstep. For the thread that runs it, then for the run's own.
public final class Task {
  private final Snapshot.Position position;
  private final int ordinal;
  private final boolean skipped;
  private @Nullable String id;
  private @Nullable StepResults journal;
  private @Nullable SuperstepLogs records;
  private long durationNanos;
  private int attempts = 1;
  private @Nullable Instant admitted;
  private boolean cacheMiss;
  private volatile @Nullable RuntimeException unsaved;
  private volatile @Nullable Map<String, Memory> left;
  private final boolean early;

  /// @param skipped whether its gate is closed
  Task(Snapshot.Position position, int ordinal, boolean skipped) {
    this(position, ordinal, skipped, false);
  }

  private Task(Snapshot.Position position, int ordinal, boolean skipped, boolean early) {
    this.position = position;
    this.ordinal = ordinal;
    this.skipped = skipped;
    this.early = early;
  }

  /// A task that begins before the run has come to its superstep.
  ///
  /// @param position the one that is to come, with this task alone
  public static Task early(Snapshot.Position position) {
    return new Task(position, 0, false, true);
  }

  /// Whether its gate is closed: it counts as finished without having run.
  public boolean isSkipped() {
    return skipped;
  }

  /// Whether it began before the run had come to its superstep.
  public boolean isEarly() {
    return early;
  }

  /// The same for the same activation in every process: made from the generation, the superstep and
  /// the node; and for one that was sent an argument or resumed from its place in task order, since
  /// there may be several. Made when first asked for.
  public String id() {
    var known = id;
    if (known == null) known = id = due().task();
    if (known == null) id = known = ownId();
    return known;
  }

  private String ownId() {
    int step = position.step() + 1;
    return isOneOfSeveral()
        ? TaskId.of(position.generation(), step, node(), ordinal)
        : TaskId.of(position.generation(), step, node());
  }

  public PendingTask due() {
    return position.due().get(ordinal);
  }

  /// The node, and where there may be several of it, the place in task order.
  public String name() {
    return isOneOfSeveral() ? node() + "#" + ordinal : node();
  }

  private boolean isOneOfSeveral() {
    return due().isOneOfSeveral();
  }

  /// The question that it runs because of, or null if it runs because of something else.
  public @Nullable Interrupt question() {
    return due().activation() instanceof Activation.Resumed(var interrupt, _) ? interrupt : null;
  }

  /// Whether it cannot run before somebody answers.
  ///
  /// @param answers by interrupt id
  public boolean isWaiting(Map<String, Json> answers) {
    var question = question();
    return question != null && !answers.containsKey(question.id());
  }

  public String node() {
    return due().node().name();
  }

  /// What its side effects gave, or null if the run is not kept.
  public @Nullable StepResults journal() {
    return journal;
  }

  public void journal(StepResults results) {
    this.journal = results;
  }

  /// The logs of its superstep.
  public SuperstepLogs records() {
    var known = records;
    if (known == null) records = known = SuperstepLogs.inMemory(Map.of());
    return known;
  }

  public void records(SuperstepLogs logs) {
    this.records = logs;
  }

  /// What graphs inside of its graph remember when it begins.
  Memories memories() {
    return position.marks().memories();
  }

  /// What the graph inside of it remembers from now on, by path, or null if it does not.
  public @Nullable Map<String, Memory> left() {
    return left;
  }

  public void left(@Nullable Map<String, Memory> memories) {
    this.left = memories;
  }

  /// How often the node was tried in this run.
  public int attempts() {
    return attempts;
  }

  public void attempts(int number) {
    this.attempts = number;
  }

  /// Set once the rates that it comes under have let its next attempt begin.
  public @Nullable Instant admitted() {
    return admitted;
  }

  public void admitted(@Nullable Instant at) {
    this.admitted = at;
  }

  /// Whether a result for it was sought in the run's cache, and none found.
  public boolean isCacheMiss() {
    return cacheMiss;
  }

  public void cacheMissed() {
    this.cacheMiss = true;
  }

  /// Something that the node did could not be saved.
  public void unsaved(RuntimeException why) {
    unsaved = why;
  }

  /// Refuses to go on after a failed save.
  ///
  /// @throws RuntimeException if something that the node did could not be saved, whatever the node
  ///   made of that
  public void checkSaved() {
    var why = unsaved;
    if (why != null) throw why;
  }

  /// How long the node ran.
  public Duration duration() {
    return Duration.ofNanos(durationNanos);
  }

  public void duration(long nanos) {
    this.durationNanos = nanos;
  }
}
