package dev.superstep.store.crash;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.Subgraph;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.test.kills.Notes;
import java.util.ArrayList;
import java.util.List;

/// A graph with all that has to survive: a loop, tasks side by side that run a graph each, steps
/// inside of nodes, a graph that remembers, and a question beside other work. Notes each run of a
/// node and each effect of a step.
final class Story {
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  static final Channel<Long, Long> SUM = Channel.sum("sum");
  private static final Channel<Long, Long> TOTAL = Channel.sum("total");
  private static final Channel<List<String>, String> PARTS = Channel.append("parts", String.class);
  private static final Channel<Integer, Integer> NUMBER = Channel.latest("number", Integer.class);
  private static final Target<Integer> PART = Target.of("part", Integer.class);
  static final Question<String, String> COLOUR = Question.of("colour", String.class, String.class);
  private static final int ROUNDS = 2;
  private static final int WIDTH = 3;

  private final Notes notes;

  Story(Notes notes) {
    this.notes = notes;
  }

  /// What the log holds at the end, whatever happened on the way.
  static final String END_OF_STORY =
      "[round 1, round 2, part 0 a 0 b 0, part 1 a 1 b 1, part 2 a 2 b 2, red, beside, memory 1,"
          + " memory 2] 39";

  Graph graph() {
    return Graph.named("story")
        .channels(LOG, SUM)
        .questions(COLOUR)
        .node("round", this::round)
        .node(PART, Subgraph.of(part(), Story::input, Story::output))
        .node("ask", this::ask)
        .node("beside", this::beside)
        .node("memory", memory())
        .node("again", (_, context) -> ran(context, NodeResult.nothing()))
        .edge(START, "round")
        .route("round", s -> s.get(LOG).size() < ROUNDS ? "round" : "spread", "round", "spread")
        .node("spread", (_, context) -> ran(context, NodeResult.nothing()))
        .fanOut("spread", _ -> parts(), PART)
        .edge("part", "ask")
        .edge("part", "beside")
        .join(List.of("ask", "beside"), "memory")
        .edge("memory", "again")
        .route("again", s -> s.get(LOG).size() < 9 ? "memory" : END, "memory", END)
        .compile();
  }

  private <R> R ran(NodeContext context, R result) {
    notes.add("ran " + context.task());
    return result;
  }

  private NodeResult round(State state, NodeContext context) throws Exception {
    long paid = step(context, "pay", 10);
    int number = state.get(LOG).size() + 1;
    return ran(context, Update.of(LOG, "round " + number).and(SUM, paid));
  }

  private long step(NodeContext context, String key, long amount) throws Exception {
    return context.step(
        key,
        Long.class,
        () -> {
          notes.add("did " + context.task() + " " + key);
          return amount;
        });
  }

  private NodeResult ask(State state, NodeContext context) throws Exception {
    long paid = step(context, "before", 1);
    var colour = context.interrupt(COLOUR, "which?");
    long more = step(context, "after", 2);
    return ran(context, Update.of(LOG, colour).and(SUM, paid + more));
  }

  private NodeResult beside(State state, NodeContext context) throws Exception {
    long paid = step(context, "beside", 10);
    return ran(context, Update.of(LOG, "beside").and(SUM, paid));
  }

  private static List<Send<?>> parts() {
    var sends = new ArrayList<Send<?>>();
    for (int i = 0; i < WIDTH; i++) sends.add(Send.to(PART, i));
    return sends;
  }

  private Graph part() {
    return Graph.named("part")
        .channels(PARTS, NUMBER)
        .node(
            "a",
            (state, context) -> {
              step(context, "a", 1);
              return ran(context, Update.of(PARTS, "a " + state.get(NUMBER)));
            })
        .node("b", (state, context) -> ran(context, Update.of(PARTS, "b " + state.get(NUMBER))))
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END)
        .compile();
  }

  private static dev.superstep.run.Input input(Integer number) {
    return dev.superstep.run.Input.of(NUMBER, number);
  }

  private static NodeResult output(State state) {
    var words = String.join(" ", state.get(PARTS));
    return Update.of(LOG, "part " + state.get(NUMBER) + " " + words).and(SUM, 1L);
  }

  private Subgraph<State> memory() {
    var graph =
        Graph.named("memory")
            .channels(TOTAL)
            .node("add", (_, context) -> ran(context, Update.of(TOTAL, 1L)))
            .edge(START, "add")
            .edge("add", END)
            .compile();
    return Subgraph.of(
            graph,
            (State _) -> dev.superstep.run.Input.none(),
            state -> Update.of(LOG, "memory " + state.get(TOTAL)).and(SUM, state.get(TOTAL)))
        .remembering();
  }
}
