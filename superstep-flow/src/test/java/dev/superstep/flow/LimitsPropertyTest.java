package dev.superstep.flow;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.AnswerMode;
import dev.superstep.agent.run.LimitReached;
import dev.superstep.agent.run.OnLimit;
import dev.superstep.agent.steering.Steering;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.error.NodeFailed;
import dev.superstep.flow.LimitedModel.Holder;
import dev.superstep.graph.Drain;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.model.ModelException;
import dev.superstep.node.Approval;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.testkit.ManualClock;
import dev.superstep.testkit.Property;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolGraph;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whatever is inside of what (agents, flows, tools, graphs), however much of it runs at once, and
/// however it is steered, broken, drained and resumed: no limit of any agent is passed.
@Tag("T39")
@Tag("T53")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class LimitsPropertyTest {
  private static final int CASES = Integer.getInteger("superstep.limits", 50);
  private static final int RESUMPTIONS = 5;
  private static final Duration DEADLINE = Duration.ofMillis(40);
  private static final Channel<Job, Job> JOB = Channel.latest("job", Job.class);
  private static final Channel<List<String>, String> TOLD = Channel.append("told", String.class);

  /// What a flow or a graph is to do: the name of its run.
  record Job(String path) {}

  record Answer(String text) {}

  /// How a call ended.
  private enum End {
    ANSWERED,
    PARTIAL,
    WAITING,
    STOPPED,
    LIMIT,
    BUDGET,
    MODEL,
    BROKEN
  }

  /// A program and the way in which it is run.
  ///
  /// @param tasks of a superstep at once
  /// @param stuck the request of an agent at which its model never replies; 0 is none
  private record Case(LimitedAgent root, int tasks, Durability when, int stuck) {}

  private final Map<End, Integer> ends = new EnumMap<>(End.class);

  @Test
  void no_limit_is_passed_whatever_is_inside_of_what() throws Exception {
    Property.check(
        1,
        CASES,
        choices -> {
          var root = LimitedAgent.trees().draw(choices);
          int tasks = choices.of(1, 2, 64);
          var when = choices.of(Durability.SYNC, Durability.ASYNC);
          return new Case(root, tasks, when, choices.chance(10) ? choices.between(1, 3) : 0);
        },
        this::holds);
    // Else the property would hold of programs that do not do much.
    assertThat(ends).containsKeys(End.ANSWERED, End.PARTIAL, End.LIMIT, End.BUDGET, End.BROKEN);
    assertThat(ends.get(End.ANSWERED)).isGreaterThan(CASES / 20);
  }

  private void holds(Case one) {
    var books = new CallBooks(one.tasks() == 1);
    var clock = ManualClock.at("2026-01-01T00:00:00Z");
    var steering = new Holder<>(Steering.standard());
    var drain = new Holder<>(new Drain());
    var around = new LimitedModel.Around(books, clock, steering, drain, one.stuck());
    var agent = agent(one.root(), around).build();
    var thread =
        RunOptions.thread("t")
            .checkpoints(new InMemoryCheckpointer())
            .durability(one.when())
            .concurrency(one.tasks())
            .clock(clock)
            .sleeper(clock::advance);
    if (one.stuck() > 0) thread = thread.deadline(DEADLINE);
    var answers = Answers.none();
    for (int i = 0; i <= RESUMPTIONS; i++) {
      // Each time as another process, which knows only what the thread says.
      books.begins();
      var options = thread.with(Steering.KEY, steering.get()).drain(drain.get());
      var attempt = new Attempt(agent, options, i == 0 ? null : answers);
      var end = attempt.end();
      books.ends();
      ends.merge(end, 1, Integer::sum);
      assertThat(books.excesses()).isEmpty();
      if (end == End.ANSWERED || end == End.PARTIAL) return;
      answers = attempt.answers;
      steering.set(Steering.standard());
      drain.set(new Drain());
    }
  }

  /// One call of an agent.
  private static final class Attempt {
    private final Agent<String> agent;
    private final RunOptions options;
    private final Answers given;
    private final boolean begins;
    private Answers answers = Answers.none();

    Attempt(Agent<String> agent, RunOptions options, Answers given) {
      this.agent = agent;
      this.options = options;
      this.begins = given == null;
      this.given = given == null ? Answers.none() : given;
    }

    End end() {
      try {
        var result = begins ? agent.run("run", options) : agent.resume(given, options);
        return switch (result) {
          case AgentResult.Answered<String> _ -> End.ANSWERED;
          case AgentResult.Partial<String> _ -> End.PARTIAL;
          case AgentResult.Stopped<String> _ -> End.STOPPED;
          case AgentResult.Waiting<String>(var questions) -> {
            for (var question : questions) answers = answers.and(answer(question));
            yield End.WAITING;
          }
        };
      } catch (InterruptedException e) {
        throw new AssertionError("Nobody has interrupted the caller.", e);
      } catch (SuperstepException e) {
        return switch (e) {
          case BudgetExceeded _ -> End.BUDGET;
          case LimitReached _ -> End.LIMIT;
          case ModelException _ -> End.MODEL;
          case NodeFailed _ -> End.BROKEN;
          default -> throw e;
        };
      }
    }

    private static Answers answer(Interrupt question) {
      return Answers.of(question.id(), Steering.PAUSED, Approval.yes());
    }
  }

  private static AgentBuilder agent(LimitedAgent made, LimitedModel.Around around) {
    var limits = made.limits();
    var agent =
        Agent.named(made.name())
            .model(new LimitedModel(made, around))
            .tools(look(made, around.books()))
            .answerMode(AnswerMode.NATIVE)
            .budget(limits.budget())
            .modelCalls(limits.modelCalls())
            .toolCalls(limits.toolCalls())
            .concurrency(limits.concurrency())
            .depth(limits.depth())
            .onLimit(limits.isPartial() ? OnLimit.RETURN_PARTIAL : OnLimit.FAIL);
    if (limits.seconds() > 0) agent = agent.timeout(Duration.ofSeconds(limits.seconds()));
    for (var helper : made.helpers()) {
      var inner = agent(helper, around);
      agent =
          switch (helper.called()) {
            case AGENT -> agent.agent(inner.build(), "Helps.");
            case REMEMBERING -> agent.rememberingAgent(inner.build(), "Helps.");
            case TOOL -> agent.tools(inner.build().asTool("Helps."));
            case FLOW -> agent.tools(flow(helper, inner).asTool(helper.tool(), "Helps."));
            case GRAPH -> {
              var twice = new Twice(inner.build(), helper.name());
              yield agent.tools(Tool.of(helper.tool(), "Helps.", Job.class, twice));
            }
          };
    }
    return agent;
  }

  private static Tool look(LimitedAgent agent, CallBooks books) {
    return Tool.of(
        "look",
        "Looks.",
        Job.class,
        (job, _) -> {
          books.called(job.path());
          try {
            for (int i = Math.floorMod(job.path().hashCode(), 30); i > 0; i--) Thread.yield();
            int luck = Math.floorMod(job.path().hashCode() / 31, 100);
            if (luck < agent.trouble().badTools()) throw new IllegalStateException("no light");
            return "seen";
          } finally {
            books.returned(job.path());
          }
        });
  }

  private static Flow<Job, Answer> flow(LimitedAgent helper, AgentBuilder inner) {
    return Flow.named(helper.name(), Job.class, Answer.class)
        .agent(Job.class, Answer.class, inner.answering(Answer.class))
        .build();
  }

  /// A graph that has an agent do two tasks at once.
  private record Twice(Agent<String> agent, String name) implements ToolGraph {
    @Override
    public ToolGraph within(ToolGate gate) {
      return new Twice(agent.within(gate), name);
    }

    @Override
    public Graph graph() {
      return Graph.named(name)
          .channels(JOB, TOLD)
          .node("one", agent.asking(state -> task(state, 1), text -> Update.of(TOLD, text)))
          .node("two", agent.asking(state -> task(state, 2), text -> Update.of(TOLD, text)))
          .edge(START, "one")
          .edge(START, "two")
          .edge("one", END)
          .edge("two", END)
          .compile();
    }

    private static String task(State state, int number) {
      return state.get(JOB).path() + "." + number;
    }

    @Override
    public Input input(Json arguments) {
      return Input.of(JOB, arguments.as(Job.class));
    }

    @Override
    public ToolResult result(State end) {
      return ToolResult.of(String.join(", ", end.get(TOLD)));
    }
  }
}
