package dev.superstep.team;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.detached.Cancellation;
import dev.superstep.detached.DetachedTasks;
import dev.superstep.detached.OwnedTasks;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.node.ContextKey;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;

/// Lets an agent start background work and manage it by the tools `spawn_task`, `await_tasks`,
/// `race_tasks`, `list_tasks` and `cancel_tasks`.
///
/// ```java
/// try (var tasks = DetachedTasks.<String>open(100, Duration.ofSeconds(5))) {
///   var boss = Agent.named("boss").model(model)
///       .middleware(Orchestration.over(tasks).agent(researcher, "Looks things up."))
///       .build();
/// }
/// ```
///
/// - Work outlives the turn and the run that started it, but not the process. It belongs to the
///   thread of the agent, or to its run if there is no thread, and is invisible to all others.
/// - A started agent has no more permissions than the agent that started it, and spends from its
///   budget. If it can start work itself, it sees only its own; the agent that started it sees that
///   work, too.
/// - A tool call that runs again after a crash of its node does not start its work again.
///
/// It answers the calls of its tools itself, so middleware that is added after it does not see
/// them. Immutable, safe for many threads; the methods return changed copies.
public final class Orchestration implements Middleware {
  private static final ContextKey<Place> PLACE = ContextKey.of("orchestration", Place.class);

  private final DetachedTasks<String> tasks;
  private final SequencedMap<String, Job> jobs;
  private final Function<String, RunOptions> options;

  /// The kind of work.
  public enum Kind {
    /// A graph.
    GRAPH,
    /// An agent.
    SUB_AGENT,
    /// A call of a tool.
    TOOL,
    /// A process outside of the program.
    EXTERNAL_PROCESS
  }

  /// Work that a program offers.
  @FunctionalInterface
  public interface Work {
    /// Does the work.
    ///
    /// @param task the task in the agent's words
    /// @return the result for the agent
    String run(String task, Cancellation cancellation) throws Exception;
  }

  /// The position of a started agent in the tree of agents.
  ///
  /// @param root the outermost agent
  /// @param path the positions of the enclosing work and its own
  record Place(String owner, String root, String path) {}

  private record Job(String name, String description, Kind kind, Starter starter) {}

  /// Makes work of a task.
  @FunctionalInterface
  private interface Starter {
    Work work(AgentContext context, Place place);
  }

  private Orchestration(
      DetachedTasks<String> tasks,
      SequencedMap<String, Job> jobs,
      Function<String, RunOptions> options) {
    this.tasks = tasks;
    this.jobs = jobs;
    this.options = options;
  }

  /// Tools to start nothing yet, which is the first thing to add.
  public static Orchestration over(DetachedTasks<String> tasks) {
    return new Orchestration(tasks, new LinkedHashMap<>(), _ -> RunOptions.defaults());
  }

  /// Adds an agent that the model can start.
  ///
  /// @param description tells the model when to start it
  public Orchestration agent(Agent<?> helper, String description) {
    return and(
        new Job(
            helper.name(),
            description,
            Kind.SUB_AGENT,
            (context, place) -> {
              var with = options(context, place);
              var narrowed = helper.within(context.gate());
              return (task, _) -> answer(narrowed.run(task, with));
            }));
  }

  /// Adds other work that the model can start.
  ///
  /// @param description tells the model when to start it
  public Orchestration work(String name, String description, Kind kind, Work work) {
    return and(new Job(name, description, kind, (_, _) -> work));
  }

  /// Sets the options for the runs of agents.
  ///
  /// @param made makes them from an id that no other run has, for example as the name of the thread
  public Orchestration withOptions(Function<String, RunOptions> made) {
    return new Orchestration(tasks, jobs, made);
  }

  private Orchestration and(Job job) {
    var more = new LinkedHashMap<>(jobs);
    if (more.put(job.name(), job) != null) {
      throw new IllegalArgumentException("two kinds of work are named `" + job.name() + "`");
    }
    return new Orchestration(tasks, more, options);
  }

  private RunOptions options(AgentContext context, Place place) {
    return options.apply(place.path()).with(Agent.LEDGER, context.ledger()).with(PLACE, place);
  }

  private static String answer(AgentResult<?> result) {
    return switch (result) {
      case AgentResult.Answered<?>(var answer, _) ->
          answer instanceof String text ? text : Json.of(answer).text();
      case AgentResult.Partial<?>(var text, _) -> text;
      case AgentResult.Waiting<?> _, AgentResult.Stopped<?> _ -> String.valueOf(result.answer());
    };
  }

  @Override
  public Touches touches() {
    return Touches.METADATA;
  }

  @Override
  public List<Tool> tools() {
    var offered = new LinkedHashMap<String, String>();
    jobs.values().forEach(job -> offered.put(job.name(), job.description()));
    return TaskTools.of(offered);
  }

  @Override
  public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
      throws Exception {
    var kind = TaskTools.Name.of(call.tool());
    if (kind.isEmpty()) return next.call(call);
    var arguments = Json.parse(call.arguments().isBlank() ? "{}" : call.arguments());
    var place = place(context);
    var desk = new TaskToolHandlers(tasks.ownedBy(place.owner()), place.path(), context);
    try {
      return switch (kind.get()) {
        case SPAWN -> spawn(arguments.as(TaskTools.Spawn.class), call, context);
        case AWAIT -> desk.await(arguments.as(TaskTools.Await.class));
        case RACE -> desk.race(arguments.as(TaskTools.Race.class));
        case LIST -> desk.list(arguments.as(TaskTools.Listing.class));
        case CANCEL -> desk.cancel(arguments.as(TaskTools.Cancel.class));
      };
    } catch (SuperstepException e) {
      return ToolResult.error(String.valueOf(e.getMessage()));
    }
  }

  private static Place place(AgentContext context) {
    return context
        .node()
        .find(PLACE)
        .orElseGet(() ->
            new Place(
                context.node().thread().map(thread -> "thread " + thread).orElse(context.root()),
                context.root(),
                ""));
  }

  private ToolResult spawn(TaskTools.Spawn asked, ToolCall call, AgentContext context) {
    var job = jobs.get(asked.work());
    if (job == null) {
      return ToolResult.error(
          "There is no work `%s`, but %s.".formatted(asked.work(), jobs.keySet()));
    }
    var around = place(context);
    // The same if the node runs again.
    var path = around.path() + "/" + context.node().task() + "." + call.id();
    var owned = tasks.ownedBy(around.owner());
    for (var info : owned.all()) {
      if (path.equals(info.labels().get(TaskToolHandlers.PATH))) return started(info.id(), owned);
    }
    var inside = new Place(around.owner(), around.root(), path);
    var work = job.starter().work(context, inside);
    var labels =
        Map.of(
            TaskToolHandlers.PATH, path,
            TaskToolHandlers.KIND, job.kind().name(),
            TaskToolHandlers.PARENT, context.run(),
            TaskToolHandlers.ROOT, around.root(),
            TaskToolHandlers.THREAD, context.node().thread().orElse(""),
            TaskToolHandlers.NODE, context.node().node());
    var id = owned.start(job.name(), labels, cancellation -> work.run(asked.task(), cancellation));
    return started(id, owned);
  }

  private static ToolResult started(String id, OwnedTasks<String> owned) {
    // Not how it stands: that would be another answer each time.
    return ToolResult.of(Json.of(new TaskTools.Started(id, owned.info(id).name())).text());
  }

  @Override
  public String toString() {
    return "Orchestration" + jobs.keySet();
  }
}
