package dev.superstep.cli.run;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadSummary;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.view.AnswerText;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/// The status of a thread, read without its program; one object of `--json`. Immutable.
///
/// @param next the nodes that are due, in task order; none if the thread has nothing left to do
/// @param finished how many of their tasks have finished already
/// @param failed those of their tasks that threw, and run again when the thread is resumed
/// @param questions those that nobody has answered
/// @param atWork who is at work on it, if anybody is
/// @param state the values of the channels
/// @param resume the command that resumes it, if this command began the thread and there is work
///   left
public record ThreadView(
    String thread,
    String graph,
    String checkpoint,
    int step,
    Instant at,
    String run,
    List<String> next,
    int finished,
    List<FailedTask> failed,
    List<Interrupt> questions,
    Optional<ThreadSummary.Holder> atWork,
    Map<String, Json> state,
    Optional<String> resume) {
  private static final int VALUE_MAX = 200;

  /// A task that threw.
  record FailedTask(String node, String code, String message) {}

  /// Reads the status of a thread.
  ///
  /// @throws dev.superstep.cli.host.UsageError if nothing of the thread is stored
  public static ThreadView of(ThreadStore thread) {
    var holder = thread.head().holder();
    var store = thread.store();
    var lineage = Lineage.of(thread.thread());
    var saved = store.latest(lineage).orElseThrow(thread::unknown);
    var at = saved.checkpoint();
    var due = at.progress().next();
    var tasks = inOrder(at, store.tasks(lineage, at.id()));
    var answered = store.answers(lineage, at.id()).stream().map(Answer::interrupt).toList();
    var open = new ArrayList<>(asked(due, tasks));
    open.removeIf(question -> answered.contains(question.id()));
    return new ThreadView(
        thread.thread(),
        at.graph(),
        at.id(),
        at.step(),
        at.at(),
        at.run(),
        due.stream().map(PendingNode::node).toList(),
        (int) tasks.stream().filter(TaskRecord::isFinal).count(),
        failed(tasks),
        List.copyOf(open),
        holder,
        state(saved),
        due.isEmpty() ? Optional.empty() : thread.resume(thread.thread(), at.metadata()));
  }

  /// Puts records in the order of the pending tasks; the store has them in the order in which they
  /// ended.
  private static List<TaskRecord> inOrder(Checkpoint at, List<TaskRecord> ended) {
    var records = new HashMap<String, TaskRecord>();
    for (var task : ended) records.put(task.task(), task);
    return at.tasks().stream().map(records::get).filter(Objects::nonNull).toList();
  }

  private static List<Interrupt> asked(List<PendingNode> due, List<TaskRecord> tasks) {
    var all = new LinkedHashMap<String, Interrupt>();
    for (var each : due) {
      if (each.activation() instanceof Activation.Resumed(var question, _)) {
        all.put(question.id(), question);
      }
    }
    for (var task : tasks) {
      if (task.end() instanceof TaskRecord.End.Waiting(var questions)) {
        for (var question : questions) all.put(question.id(), question);
      }
    }
    return List.copyOf(all.values());
  }

  private static List<FailedTask> failed(List<TaskRecord> tasks) {
    var failed = new ArrayList<FailedTask>();
    for (var task : tasks) {
      if (task.end() instanceof TaskRecord.End.Failed(var code, var message)) {
        failed.add(new FailedTask(task.node(), code, message));
      }
    }
    return failed;
  }

  private static Map<String, Json> state(Saved saved) {
    var state = new LinkedHashMap<String, Json>();
    for (var channel : saved.channels()) {
      // What the engine keeps for itself is no part of a graph's state.
      if (channel.name().equals(Progress.CHANNEL)) continue;
      switch (channel.content()) {
        case Content.Whole(var value) -> state.put(channel.name(), value);
        case Content.Items(var items) ->
            state.put(channel.name(), Codec.listOf(Json.class).encode(items));
        case Content.Cleared() -> {}
      }
    }
    return state;
  }

  /// Returns the status for people; long values are cut.
  public String text() {
    var lines = new ArrayList<String>();
    lines.add("thread " + thread + " of graph " + graph);
    lines.add("step " + step + ", " + at.truncatedTo(ChronoUnit.SECONDS));
    lines.add("checkpoint " + checkpoint);
    lines.add(
        atWork
            .map(who -> "at work: " + who.owner() + ", lease until " + seconds(who.until()))
            .orElse("nobody is at work"));
    lines.add(next.isEmpty() ? "done: nothing is due" : "next: " + due());
    for (var task : failed) {
      lines.add("failed: " + task.node() + ": " + SafeText.line(task.message()));
    }
    if (!state.isEmpty()) lines.add("\nstate");
    state.forEach((name, value) -> lines.add("  " + name + ": " + format(value)));
    questions(lines);
    resume.ifPresent(command -> lines.add("\ngo on with: " + command + answers()));
    return String.join("\n", lines);
  }

  private String due() {
    var counts =
        next.stream()
            .collect(Collectors.groupingBy(n -> n, LinkedHashMap::new, Collectors.counting()));
    var nodes =
        counts.entrySet().stream()
            .map(e -> e.getValue() == 1 ? e.getKey() : e.getKey() + " x " + e.getValue())
            .collect(Collectors.joining(", "));
    return finished == 0 ? nodes : nodes + " (" + finished + " of " + next.size() + " finished)";
  }

  private void questions(List<String> lines) {
    if (questions.isEmpty()) return;
    int open = questions.size();
    lines.add(open == 1 ? "\n1 question is open:" : "\n" + open + " questions are open:");
    for (var question : questions) {
      lines.add("  " + question.id() + " " + question.question() + ", asked by " + question.node());
      lines.add("    " + format(question.payload()));
    }
  }

  private String answers() {
    return questions.stream()
        .map(q -> " --answer " + q.id() + "=" + form(q))
        .collect(Collectors.joining());
  }

  private static String form(Interrupt question) {
    if (AnswerText.isApproval(question)) return "yes";
    return AnswerText.isText(question) ? "TEXT" : "JSON";
  }

  private static Instant seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  private static String format(Json value) {
    var text = SafeText.line(value.text());
    return text.length() <= VALUE_MAX ? text : text.substring(0, VALUE_MAX - 1) + "…";
  }
}
