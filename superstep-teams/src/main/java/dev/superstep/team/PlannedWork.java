package dev.superstep.team;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import dev.superstep.node.Update;
import dev.superstep.schema.Description;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;

/// Agents that plan, do and review: one plans, one does the work, one reviews it, and it is done
/// again with the notes of the review until that passes or there were enough rounds.
///
/// ```java
/// Graph essay = PlannedWork.named("essay", planner, writer, critic).rounds(3).graph();
/// essay.invoke(Input.of(PlannedWork.TASK, "On snow."), options);
/// ```
///
/// An ordinary graph comes of it. One thread at a time.
public final class PlannedWork {
  /// The task.
  public static final Channel<String, String> TASK = Channel.latest("task", String.class);

  /// The plan.
  public static final Channel<String, String> PLAN = Channel.latest("plan", String.class);

  /// The latest version of the work.
  public static final Channel<String, String> WORK = Channel.latest("work", String.class);

  /// The results of the reviews, the oldest first.
  public static final Channel<List<Judgement>, Judgement> JUDGEMENTS =
      Channel.append("judgements", Judgement.class);

  private static final int ROUNDS = 3;

  private final String name;
  private final Agent<String> planner;
  private final Agent<String> worker;
  private final Agent<Judgement> reviewer;
  private int rounds = ROUNDS;

  /// The result of a review.
  ///
  /// @param notes what to improve
  public record Judgement(
      @Description("whether the work is good enough") boolean passed,
      @Description("what is to be better; empty if nothing is") String notes) {}

  private PlannedWork(
      String name, Agent<String> planner, Agent<String> worker, Agent<Judgement> reviewer) {
    this.name = name;
    this.planner = planner;
    this.worker = worker;
    this.reviewer = reviewer;
  }

  /// The work of three agents.
  public static PlannedWork named(
      String name, Agent<String> planner, Agent<String> worker, Agent<Judgement> reviewer) {
    return new PlannedWork(name, planner, worker, reviewer);
  }

  /// Limits how often the work is done; 3 times unless set. The last version is the result, whether
  /// it passed or not.
  public PlannedWork rounds(int most) {
    if (most < 1) throw new IllegalArgumentException("rounds must be at least 1, was " + most);
    rounds = most;
    return this;
  }

  /// The graph.
  public Graph graph() {
    int most = rounds;
    return Graph.named(name)
        .channels(TASK, PLAN, WORK, JUDGEMENTS)
        .node("plan", planner.asking(PlannedWork::toPlan, plan -> Update.of(PLAN, plan)))
        .node("work", worker.asking(PlannedWork::toWork, work -> Update.of(WORK, work)))
        .node("review", reviewer.asking(PlannedWork::toReview, j -> Update.of(JUDGEMENTS, j)))
        .edge(START, "plan")
        .edge("plan", "work")
        .edge("work", "review")
        .route("review", state -> isDone(state, most) ? END : "work", "work", END)
        .stepLimit(2 * most + 1)
        .compile();
  }

  private static boolean isDone(State state, int most) {
    var judgements = state.get(JUDGEMENTS);
    return judgements.getLast().passed() || judgements.size() >= most;
  }

  private static String toPlan(State state) {
    return "Plan this task, step by step:\n\n" + state.get(TASK);
  }

  private static String toWork(State state) {
    var text = new StringBuilder("The task:\n\n").append(state.get(TASK));
    text.append("\n\nThe plan:\n\n").append(state.get(PLAN));
    var judgements = state.get(JUDGEMENTS);
    if (!judgements.isEmpty()) {
      text.append("\n\nWhat was done so far:\n\n").append(state.get(WORK));
      text.append("\n\nWhat is to be better:\n\n").append(judgements.getLast().notes());
    }
    return text.toString();
  }

  private static String toReview(State state) {
    return "The task:\n\n%s\n\nWhat was done:\n\n%s\n\nIs it good enough?"
        .formatted(state.get(TASK), state.get(WORK));
  }

  @Override
  public String toString() {
    return "PlannedWork[" + name + ", at most " + rounds + " rounds]";
  }
}
