package dev.superstep.server.internal.api.studio;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.checkpoint.Entry;
import dev.superstep.event.Event;
import dev.superstep.journal.Projection;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.json.Codec;
import dev.superstep.json.MalformedJson;
import dev.superstep.model.ModelUse;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The sums of what the runs of a thread took, counted from its journal. Immutable.
///
/// @param supersteps of the thread's own graph
/// @param nodes tasks that ended well, those of subgraphs included
/// @param inputTokens those that came from a cache included
/// @param cost where the journal has any
/// @param problems the newest failures, the newest last
record RunTally(
    long events,
    int runs,
    int supersteps,
    int nodes,
    int retries,
    int modelCalls,
    long inputTokens,
    long cachedTokens,
    long outputTokens,
    Optional<BigDecimal> cost,
    String currency,
    int toolCalls,
    int toolErrors,
    int questions,
    List<Problem> problems,
    Optional<Instant> began,
    Optional<Instant> last) {
  private static final int PROBLEMS_MOST = 20;

  /// A failure.
  ///
  /// @param offset of its event
  /// @param code empty where a node failed and the run went on
  /// @param message what happened, where, and what to do
  record Problem(long offset, Instant at, String node, String code, String message) {}

  static final RunTally NONE =
      new RunTally(
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          Optional.empty(),
          "",
          0,
          0,
          0,
          List.of(),
          Optional.empty(),
          Optional.empty());

  static final Projection<RunTally> PROJECTION = new OfJournal();

  RunTally {
    problems = List.copyOf(problems);
  }

  private RunTally after(Entry entry) {
    var next = new Draft(this);
    next.events++;
    next.began = began.or(() -> Optional.of(entry.at()));
    next.last = Optional.of(entry.at());
    next.add(entry.offset(), ThreadJournal.event(entry));
    return next.tally();
  }

  /// A tally that is being changed.
  private static final class Draft {
    private final RunTally before;
    private final List<Problem> problems;
    private long events;
    private int runs;
    private int supersteps;
    private int nodes;
    private int retries;
    private int modelCalls;
    private long inputTokens;
    private long cachedTokens;
    private long outputTokens;
    private Optional<BigDecimal> cost;
    private String currency;
    private int toolCalls;
    private int toolErrors;
    private int questions;
    private Optional<Instant> began;
    private Optional<Instant> last;

    Draft(RunTally from) {
      before = from;
      problems = new ArrayList<>(from.problems);
      events = from.events;
      runs = from.runs;
      supersteps = from.supersteps;
      nodes = from.nodes;
      retries = from.retries;
      modelCalls = from.modelCalls;
      inputTokens = from.inputTokens;
      cachedTokens = from.cachedTokens;
      outputTokens = from.outputTokens;
      cost = from.cost;
      currency = from.currency;
      toolCalls = from.toolCalls;
      toolErrors = from.toolErrors;
      questions = from.questions;
      began = from.began;
      last = from.last;
    }

    RunTally tally() {
      return new RunTally(
          events,
          runs,
          supersteps,
          nodes,
          retries,
          modelCalls,
          inputTokens,
          cachedTokens,
          outputTokens,
          cost,
          currency,
          toolCalls,
          toolErrors,
          questions,
          problems.equals(before.problems) ? before.problems : problems,
          began,
          last);
    }

    void add(long offset, Event event) {
      var at = event.origin();
      switch (event) {
        case Event.RunStarted _ -> runs++;
        case Event.StepFinished _ when at.path().isEmpty() -> supersteps++;
        case Event.NodeFinished _ -> nodes++;
        case Event.NodeRetried _ -> retries++;
        case Event.InterruptRaised _ -> questions++;
        case Event.NodeFailed e -> failed(new Problem(offset, at.at(), e.node(), "", e.error()));
        case Event.RunFailed e -> failed(new Problem(offset, at.at(), "", e.code(), e.message()));
        case Event.NodeEmitted e -> emitted(e);
        case Event _ -> {}
      }
    }

    private void failed(Problem problem) {
      problems.add(problem);
      if (problems.size() > PROBLEMS_MOST) problems.removeFirst();
    }

    private void emitted(Event.NodeEmitted event) {
      try {
        if (event.name().equals(ModelUse.RECORDED)) {
          var usage = event.payload().as(ModelUse.class).usage();
          modelCalls++;
          inputTokens += usage.input();
          cachedTokens += usage.cachedInput();
          outputTokens += usage.output();
        }
        AgentEvent.of(event).ifPresent(this::told);
      } catch (MalformedJson _) {
        // A program's own event of the same name, or one whose payload the journal left out.
      }
    }

    private void told(AgentEvent told) {
      switch (told) {
        case AgentEvent.ToolCompleted _ -> toolCalls++;
        case AgentEvent.ToolFailed _ -> {
          toolCalls++;
          toolErrors++;
        }
        case AgentEvent.CostRecorded(_, _, var price, var unit) -> {
          if (price.isEmpty()) return;
          cost = Optional.of(cost.orElse(BigDecimal.ZERO).add(price.get()));
          currency = unit;
        }
        case AgentEvent _ -> {}
      }
    }
  }

  private record OfJournal() implements Projection<RunTally> {
    @Override
    public String name() {
      return "studio";
    }

    @Override
    public int version() {
      return 1;
    }

    @Override
    public Codec<RunTally> codec() {
      return Codec.of(RunTally.class);
    }

    @Override
    public RunTally initial() {
      return NONE;
    }

    @Override
    public RunTally fold(RunTally tally, Entry entry) {
      return tally.after(entry);
    }
  }
}
