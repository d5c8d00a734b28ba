package dev.superstep.team;

import dev.superstep.detached.TaskInfo;
import dev.superstep.detached.TaskState;
import dev.superstep.schema.Description;
import dev.superstep.schema.Limits;
import dev.superstep.tool.Tool;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The tools for background tasks, in the form that a model sees.
final class TaskTools {
  private static final int RESULT_MAX = 16_000;

  private TaskTools() {}

  /// The tools.
  enum Name {
    SPAWN("spawn_task"),
    AWAIT("await_tasks"),
    RACE("race_tasks"),
    LIST("list_tasks"),
    CANCEL("cancel_tasks");

    private final String tool;

    Name(String tool) {
      this.tool = tool;
    }

    static Optional<Name> of(String tool) {
      return Arrays.stream(values()).filter(name -> name.tool.equals(tool)).findFirst();
    }
  }

  /// The status of a task, as a model sees it.
  enum Status {
    RUNNING,
    FINISHED,
    FAILED,
    CANCELLED;

    static Status of(TaskState<?> state) {
      return switch (state) {
        case TaskState.Running<?> _ -> RUNNING;
        case TaskState.Finished<?> _ -> FINISHED;
        case TaskState.Failed<?> _ -> FAILED;
        case TaskState.Cancelled<?> _ -> CANCELLED;
      };
    }
  }

  record Spawn(
      @Description("One of those that the tool names.") String work,
      @Description("What to do, with everything that is needed for it: nothing else is seen.")
          String task) {}

  record Await(
      @Description("Their ids.") @Limits(minItems = 1, maxItems = 100) List<String> tasks,
      @Description("How long to wait at most; 30 if left out.") @Limits(min = 0, max = 600)
          Optional<Integer> seconds) {}

  record Race(
      @Description("Their ids.") @Limits(minItems = 1, maxItems = 100) List<String> tasks,
      @Description("How long to wait at most; 30 if left out.") @Limits(min = 0, max = 600)
          Optional<Integer> seconds,
      @Description("Whether the others go on when one has finished; they do not if left out.")
          Optional<Boolean> keepOthers) {}

  record Listing(
      @Description("Only those started by the agent with this run id.") Optional<String> parent,
      @Description("Only those that belong to the outermost agent with this run id.")
          Optional<String> root,
      @Description("Only those started on this thread.") Optional<String> thread,
      @Description("Only those started by this node of a graph.") Optional<String> node,
      Optional<Status> status,
      Optional<Orchestration.Kind> kind,
      @Description("Only those created then or later.") Optional<Instant> createdFrom,
      @Description("Only those created before.") Optional<Instant> createdUntil) {}

  record Cancel(
      @Description("Their ids.") @Limits(minItems = 1, maxItems = 100) List<String> tasks) {}

  /// The result of a call that starts a task.
  record Started(String id, String work) {}

  /// A task, as a model sees it.
  record View(
      String id,
      String work,
      String kind,
      Status status,
      Instant created,
      Optional<Instant> ended,
      Optional<String> result,
      Optional<String> error) {
    /// @param isWhole whether to include the result
    static View of(TaskInfo<String> info, boolean isWhole) {
      var result = Optional.<String>empty();
      var error = Optional.<String>empty();
      switch (info.state()) {
        case TaskState.Running<String> _ -> {}
        case TaskState.Finished<String>(var text) -> result = Optional.of(cut(text));
        case TaskState.Failed<String>(var thrown) -> error = Optional.of(cut(errorText(thrown)));
        case TaskState.Cancelled<String>(_, var thrown) ->
            error = Optional.of(cut(errorText(thrown)));
      }
      return new View(
          info.id(),
          info.name(),
          info.labels().getOrDefault(TaskToolHandlers.KIND, ""),
          Status.of(info.state()),
          info.started(),
          info.ended(),
          isWhole ? result : Optional.empty(),
          isWhole ? error : Optional.empty());
    }

    private static String errorText(Throwable thrown) {
      var why = thrown.getMessage();
      return thrown.getClass().getSimpleName() + (why == null ? "" : ": " + why);
    }

    private static String cut(String text) {
      if (text.length() <= RESULT_MAX) return text;
      int end =
          Character.isHighSurrogate(text.charAt(RESULT_MAX - 1)) ? RESULT_MAX - 1 : RESULT_MAX;
      return text.substring(0, end) + " [cut off: it has " + text.length() + " characters]";
    }
  }

  /// Several of them.
  record Views(List<View> tasks) {}

  /// @param work what can be started, and when
  static List<Tool> of(Map<String, String> work) {
    var offered = new ArrayList<String>();
    work.forEach((name, description) -> offered.add("`" + name + "`: " + description));
    return List.of(
        tool(
            Name.SPAWN,
            "Starts work that goes on by itself, and tells its id at once. Work: "
                + String.join(" ", offered),
            Spawn.class),
        tool(
            Name.AWAIT,
            "Waits until all of these tasks have ended, or the time is over, and tells what came"
                + " of them. Those that are still running can be awaited again.",
            Await.class),
        tool(
            Name.RACE,
            "Waits until the first of these tasks has a result, tells it, and cancels the others.",
            Race.class),
        tool(Name.LIST, "Lists your tasks, oldest first, without results.", Listing.class),
        tool(Name.CANCEL, "Cancels tasks, and tells how they stand then.", Cancel.class));
  }

  private static Tool tool(Name name, String description, Class<? extends Record> arguments) {
    return Tool.of(
        name.tool,
        description,
        arguments,
        (_, _) -> {
          throw new IllegalStateException("the middleware that brings this tool answers its calls");
        });
  }
}
