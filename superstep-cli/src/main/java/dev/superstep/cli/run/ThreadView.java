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
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.view.QuestionRisk;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.language.Suggestion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

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
/// @param answerWith the command to which answers are added, if `resume` takes them
/// @param risks why some of the questions are risky, by their ids
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
    Optional<String> resume,
    Optional<String> answerWith,
    Map<String, String> risks) {
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
        due.isEmpty() ? Optional.empty() : thread.resumeOf(at),
        due.isEmpty() ? Optional.empty() : thread.resume(thread.thread(), at.metadata()),
        risks(open));
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

  /// Prints the status for people.
  ///
  /// @param isFull whether long values are shown whole
  public void print(ThreadStore store, boolean isFull) {
    var terminal = store.host().terminal();
    var show = store.host().command() + " threads show " + ShellText.word(thread);
    terminal.out().println(new ThreadText(this, terminal.display(), show, isFull).text());
    terminal.out().flush();
  }

  /// The value of a channel: JSON, or if it is a text, that text.
  ///
  /// @throws UsageError if the thread has no such channel
  public String channel(String name, boolean isJson) {
    var value = state.get(name);
    if (value == null) {
      throw new UsageError(
          "channel.unknown",
          "Thread `%s` has no value in channel `%s`.%s"
              .formatted(
                  thread,
                  name,
                  Suggestion.nearest(name, state.keySet())
                      .map(near -> " Did you mean `" + near + "`?")
                      .orElse(" It has: " + String.join(", ", state.keySet()) + ".")));
    }
    return !isJson && value.text().startsWith("\"") ? value.as(String.class) : value.text();
  }

  private static Map<String, String> risks(List<Interrupt> open) {
    var risks = new LinkedHashMap<String, String>();
    for (var question : open) {
      QuestionRisk.of(question).ifPresent(why -> risks.put(question.id(), why));
    }
    return risks;
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
}
