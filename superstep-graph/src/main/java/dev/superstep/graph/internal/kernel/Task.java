package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.Memory;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.TaskId;
import dev.superstep.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An activation of a node in a superstep. For the thread that runs it, then for the run's own.
public final class Task {
  private final Snapshot.Position position;
  private final int ordinal;
  private final boolean skipped;
  private @Nullable String id;
  private @Nullable StepResults stepResults;
  private @Nullable SuperstepLogs records;
  private long durationNanos;
  private int attempts = 1;
  private @Nullable Instant admitted;
  private boolean cacheMiss;
  private volatile @Nullable RuntimeException unsaved;
  private volatile @Nullable Map<String, Memory> left;
  private @Nullable Memories given;
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

  /// Returns a task that begins before the run has come to its superstep.
  ///
  /// @param position the one that is to come, with this task alone
  public static Task early(Snapshot.Position position) {
    return new Task(position, 0, false, true);
  }

  /// Returns a task for a graph that runs inside this one's node, beside others.
  ///
  /// @param own the id; of no other graph in the thread
  /// @param continued the memory that the graph continues from; null if it begins anew
  public Task inside(String own, @Nullable Memory continued) {
    var inner = new Task(position, ordinal, false, early);
    inner.id = own;
    inner.given =
        continued == null
            ? Memories.NONE
            : Memories.NONE.with(Map.of(Memories.path(node()), continued));
    return inner;
  }

  /// Returns whether its gate is closed: the task counts as finished without having run.
  public boolean isSkipped() {
    return skipped;
  }

  /// Returns whether the task began before the run had come to its superstep.
  public boolean isEarly() {
    return early;
  }

  /// The id of the task, equal for the same activation in every process. It is made from the
  /// generation, the superstep and the node, and for a task that was sent an argument or resumed
  /// also from its place in task order, since there may be several. Made on first use.
  public String id() {
    var known = id;
    if (known == null) known = id = due().task();
    if (known == null) id = known = ownId();
    return known;
  }

  private String ownId() {
    return isOneOfSeveral()
        ? TaskId.of(position.generation(), step(), node(), ordinal)
        : TaskId.of(position.generation(), step(), node());
  }

  /// The number of its superstep.
  public int step() {
    return position.step() + 1;
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

  /// Returns whether the task cannot run before somebody answers.
  ///
  /// @param answers by interrupt id
  public boolean isWaiting(Map<String, Json> answers) {
    var question = question();
    return question != null && !answers.containsKey(question.id());
  }

  public String node() {
    return due().node().name();
  }

  /// The results of its side effects, or null if the run is not saved.
  public @Nullable StepResults stepResults() {
    return stepResults;
  }

  public void stepResults(StepResults results) {
    this.stepResults = results;
  }

  /// Saves the result of a step that was to be saved with the end of the task.
  public void saveSteps() {
    if (stepResults == null) return;
    try {
      stepResults.flush();
    } catch (StoreFailed | LeaseLost e) {
      unsaved(e);
      throw e;
    }
  }

  /// The result of a step that is to be saved with the end of the task.
  public List<StepRecord> takeSteps() {
    var record = stepResults == null ? null : stepResults.takePending();
    return record == null ? List.of() : List.of(record);
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

  /// The memories of subgraphs when the task begins.
  Memories memories() {
    return given == null ? position.marks().memories() : given;
  }

  /// The memories that the subgraph inside the task leaves, by path, or null if it does not
  /// remember.
  public @Nullable Map<String, Memory> left() {
    return left;
  }

  public void left(@Nullable Map<String, Memory> memories) {
    this.left = memories;
  }

  /// The number of attempts in this run.
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

  /// Returns whether the run's cache was searched for a result, and none found.
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

  /// Refuses to continue after a failed save.
  ///
  /// @throws RuntimeException if something that the node did could not be saved, whatever the node
  ///   made of that
  public void checkSaved() {
    var why = unsaved;
    if (why != null) throw why;
  }

  /// The time that the node ran.
  public Duration duration() {
    return Duration.ofNanos(durationNanos);
  }

  public void duration(long nanos) {
    this.durationNanos = nanos;
  }
}
