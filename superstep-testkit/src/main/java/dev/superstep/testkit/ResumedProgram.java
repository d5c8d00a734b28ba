package dev.superstep.testkit;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.Subgraph;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;

/// A random program that is stopped and resumed: stages in a row, each with effects whose results
/// are saved, tasks side by side, a question, a graph inside, or a loop. Its log depends on the
/// program and the answers only.
///
/// @param stages at least one
record ResumedProgram(List<Stage> stages) {
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  static final Question<String, Integer> ASK = Question.of("ask", String.class, Integer.class);
  private static final Channel<List<String>, String> INNER = Channel.append("inner", String.class);
  private static final Channel<Integer, Integer> NUMBER = Channel.latest("number", Integer.class);
  private static final int STAGES_MAX = 4;
  private static final int WIDTH_MAX = 3;

  /// The kinds of stages.
  enum Kind {
    EFFECTS,
    FAN_OUT,
    QUESTION,
    SUBGRAPH,
    LOOP
  }

  /// @param width the number of effects, tasks or rounds
  record Stage(Kind kind, int width) {}

  static ResumedProgram draw(Choices choices) {
    var stages = new ArrayList<Stage>();
    int many = choices.between(1, STAGES_MAX);
    for (int i = 0; i < many; i++) {
      stages.add(new Stage(choices.of(Kind.values()), choices.between(1, WIDTH_MAX)));
    }
    return new ResumedProgram(stages);
  }

  /// Returns answers to all questions, each made of what it asks.
  static Answers answers(List<Interrupt> questions) {
    var answers = Answers.none();
    for (var question : questions) {
      answers = answers.and(ASK.answer(question, answer(ASK.read(question))));
    }
    return answers;
  }

  private static int answer(String asked) {
    return asked.hashCode();
  }

  Graph graph(EffectLedger ledger) {
    var graph = Graph.named("resumed").channels(LOG).questions(ASK);
    var from = START;
    for (int i = 0; i < stages.size(); i++) {
      var name = "s" + i;
      graph.edge(from, name);
      from = add(graph, name, stages.get(i), ledger);
    }
    return graph.edge(from, END).compile();
  }

  /// Returns the node that the next stage follows.
  private static String add(GraphBuilder graph, String name, Stage stage, EffectLedger ledger) {
    int width = stage.width();
    switch (stage.kind()) {
      case EFFECTS -> graph.node(name, (_, context) -> log(effects(ledger, context, name, width)));
      case QUESTION ->
          graph.node(
              name,
              (_, context) -> {
                effects(ledger, context, name + "-before", 1);
                int given = context.interrupt(ASK, name + "?");
                return log(effects(ledger, context, name + "=" + given, width));
              });
      case SUBGRAPH ->
          graph.node(
              name,
              Subgraph.of(
                  inside(ledger, width),
                  (State _) -> Input.of(NUMBER, width),
                  state -> log(name + state.get(INNER))));
      case LOOP -> {
        graph.node(name, (_, context) -> log(effects(ledger, context, name, 1)));
        var next = name + "-end";
        graph.node(next, (_, _) -> NodeResult.nothing());
        graph.route(
            name,
            state -> state.get(LOG).stream().filter(name::equals).count() < width ? name : next,
            name,
            next);
        return next;
      }
      case FAN_OUT -> {
        var item = Target.of(name + "-item", Integer.class);
        graph.node(name, (_, _) -> NodeResult.nothing());
        graph.node(
            item, (number, _, context) -> log(effects(ledger, context, name + "." + number, 1)));
        graph.fanOut(name, _ -> sends(item, width), item);
        return item.name();
      }
    }
    return name;
  }

  private static Graph inside(EffectLedger ledger, int width) {
    return Graph.named("inside")
        .channels(INNER, NUMBER)
        .node("a", (_, context) -> Update.of(INNER, effects(ledger, context, "a", width)))
        .node(
            "b",
            (state, context) ->
                Update.of(INNER, effects(ledger, context, "b" + state.get(NUMBER), 1)))
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END)
        .compile();
  }

  private static List<Send<?>> sends(Target<Integer> item, int width) {
    var sends = new ArrayList<Send<?>>();
    for (int i = 0; i < width; i++) sends.add(Send.to(item, i));
    return sends;
  }

  private static NodeResult log(String text) {
    return Update.of(LOG, text);
  }

  /// Performs effects, each in a step of its own, and returns the text.
  private static String effects(EffectLedger ledger, NodeContext context, String text, int many)
      throws Exception {
    for (int i = 0; i < many; i++) {
      var key = text + "-" + i;
      var result =
          context.step(
              key,
              String.class,
              () -> {
                ledger.perform(context.task(), key);
                return key;
              });
      if (!result.equals(key)) throw new AssertionError(result + " is not " + key);
    }
    return text;
  }
}
