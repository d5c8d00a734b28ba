package dev.superstep.flow;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.agent.Agent;
import dev.superstep.error.InvalidGraph;
import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.Subgraph;
import dev.superstep.message.Message;
import dev.superstep.node.Command;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Makes the graph of a flow: a token channel for each state, a node for each step, triggered by
/// the tokens that it takes. For one use.
final class Lowering {
  /// Counts the runs of a step in a loop; no state has such a name.
  private static final String VISITS = "visits:";

  private static final String SPLIT = "each:split";
  private static final String GATHER = "each:gather";

  private final Flow.Shape<?, ?> shape;
  private final FlowEnvironment setting;
  private final Map<String, Channel<?, ?>> channels = new LinkedHashMap<>();
  private final Map<String, Channel<Long, Long>> visits = new LinkedHashMap<>();
  private final LinkedHashSet<Question<?, ?>> questions;

  Lowering(Flow.Shape<?, ?> shape, FlowEnvironment setting) {
    this.shape = shape;
    this.setting = setting;
    this.questions = new LinkedHashSet<>(shape.questions());
    declare(shape.entry());
    for (var part : shape.parts()) {
      part.takes().forEach(this::declare);
      part.gives().forEach(this::declare);
      if (part.limit() > 0) visits.put(part.name(), Channel.sum(visits(part)));
    }
  }

  private static String visits(StepDefinition part) {
    return VISITS + part.name().replace(" ", "_");
  }

  /// Returns whether a channel of a flow's graph counts visits instead of holding a state.
  static boolean isCount(String channel) {
    return channel.startsWith(VISITS);
  }

  private void declare(StateType<?> state) {
    channels.computeIfAbsent(state.key(), _ -> state.channel());
  }

  @SuppressWarnings("unchecked") // made from this state, by its key
  <T> Channel<T, T> channel(StateType<T> state) {
    return (Channel<T, T>) Objects.requireNonNull(channels.get(state.key()));
  }

  Graph graph() {
    var graph = Graph.named(shape.name());
    graph.channels(channels.values().toArray(Channel<?, ?>[]::new));
    graph.channels(visits.values().toArray(Channel<?, ?>[]::new));
    for (var part : shape.parts()) add(part, graph);
    graph.questions(questions.toArray(Question<?, ?>[]::new));
    try {
      return graph.stepLimit(steps()).compile();
    } catch (InvalidGraph e) {
      throw new FlowError.Invalid(shape.name(), e.problems());
    }
  }

  /// Every superstep runs at least one step, and every step runs as often as its loop lets it.
  private int steps() {
    long steps = 1;
    for (var part : shape.parts()) steps += Math.max(1, part.limit());
    return (int) Math.min(Integer.MAX_VALUE / 4, steps);
  }

  private void add(StepDefinition part, GraphBuilder graph) {
    var name = part.name();
    var policy = part.policy() == null ? NodePolicy.defaults() : part.policy();
    switch (part.body()) {
      case StepDefinition.Body.Code code -> graph.node(name, coded(part, code), policy);
      case StepDefinition.Body.Suspended _ -> graph.node(name, suspended(part), policy);
      case StepDefinition.Body.Asked<?>(var agent) -> graph.node(name, asked(part, agent), policy);
      case StepDefinition.Body.Each<?, ?, ?, ?> each -> graph.node(name, each(part, each), policy);
    }
    graph.trigger(name, part.takes().stream().map(this::channel).toArray(Channel<?, ?>[]::new));
  }

  private Node coded(StepDefinition part, StepDefinition.Body.Code code) {
    // What is the same in each run is found out once.
    var name = part.name();
    var taken = part.takes().stream().map(this::channel).toArray(Channel<?, ?>[]::new);
    var gives = part.gives().stream().<Writer>map(this::writer).toArray(Writer[]::new);
    boolean isChoice = part.kind().isChoice();
    return (state, node) -> {
      visit(part, state);
      var in = new ArrayList<Object>(taken.length);
      for (var channel : taken) in.add(state.get(channel));
      var context = new FlowContext(shape.name(), name, setting.injected(), node);
      var given = code.transition().run(in, context);
      var writes = new ArrayList<Write>(gives.length);
      for (int i = 0; i < gives.length; i++) {
        var value = given.get(i);
        if (value != null) writes.add(gives[i].write(value));
        else if (!isChoice) throw nothing(part, i);
      }
      if (writes.isEmpty()) throw nothing(part, 0);
      return counted(new Update(writes), part);
    };
  }

  private FlowError nothing(StepDefinition part, int place) {
    var why = "it gave nothing in place of `" + part.gives().get(place) + "`.";
    return new FlowError.StepError(shape.name(), part.name(), why, null);
  }

  /// Makes a write of a value of a certain state.
  @FunctionalInterface
  private interface Writer {
    Write write(Object value);
  }

  private <T> Writer writer(StateType<T> state) {
    var channel = channel(state);
    return value -> new Write.Put<>(channel, state.type().cast(value));
  }

  /// Refuses a step that has run as often as it may.
  private void visit(StepDefinition part, State state) {
    if (part.limit() == 0) return;
    if (state.get(Objects.requireNonNull(visits.get(part.name()))) < part.limit()) return;
    throw new FlowError.LoopLimit(shape.name(), part.name(), part.limit());
  }

  private Update counted(Update update, StepDefinition part) {
    if (part.limit() == 0) return update;
    return update.and(Objects.requireNonNull(visits.get(part.name())), 1L);
  }

  private Node suspended(StepDefinition part) {
    return suspended(part, part.takes().getFirst(), part.gives().getFirst());
  }

  private <Q, A> Node suspended(StepDefinition part, StateType<Q> asked, StateType<A> answer) {
    var question = Question.of(asked.key(), asked.codec(), answer.codec());
    questions.add(question);
    return (state, node) -> {
      visit(part, state);
      var given = node.interrupt(question, state.get(channel(asked)));
      return counted(Update.of(channel(answer), given), part);
    };
  }

  private <A> Subgraph<State> asked(StepDefinition part, Agent<A> agent) {
    var own = setting.of(agent);
    return Subgraph.of(
        own.graph(),
        state -> {
          visit(part, state);
          return own.input(List.of(Message.user(task(part.takes().getFirst(), state))));
        },
        end -> {
          var answer = own.answer(end);
          return counted(new Update(List.of(writer(part.gives().getFirst()).write(answer))), part);
        });
  }

  private <T> String task(StateType<T> taken, State state) {
    return taken.codec().encode(state.get(channel(taken))).text();
  }

  private <F, X, Y, T> Subgraph<State> each(
      StepDefinition part, StepDefinition.Body.Each<F, X, Y, T> each) {
    @SuppressWarnings("unchecked") // the builder made both from the same types
    var taken = (StateType<F>) part.takes().getFirst();
    @SuppressWarnings("unchecked")
    var given = (StateType<T>) part.gives().getFirst();
    var flow = each.flow().with(setting);
    var from = Channel.latest("from", taken.codec());
    var made = Channel.append("made", flow.shape().exit().codec());
    var result = Channel.latest("result", given.codec());
    var item = new Target<>(flow.shape().entry().key(), flow.shape().entry().codec());
    var graph =
        Graph.named(part.name())
            .channels(from, made, result)
            .node(
                SPLIT,
                (state, _) -> {
                  var sends = new ArrayList<Send<?>>();
                  for (var one : each.items().apply(state.get(from))) sends.add(Send.to(item, one));
                  return sends.isEmpty() ? Command.to(GATHER) : Command.send(sends);
                })
            .node(item, flow.sent(output -> Update.of(made, output)))
            .node(
                GATHER,
                (state, _) ->
                    Update.of(
                        result,
                        Objects.requireNonNull(
                            each.gather().apply(state.get(from), state.get(made)))))
            .destinations(SPLIT, item.name(), GATHER)
            .edge(START, SPLIT)
            .edge(item.name(), GATHER)
            .edge(GATHER, END)
            .compile();
    return Subgraph.of(
        graph,
        state -> {
          visit(part, state);
          return Input.of(from, state.get(channel(taken)));
        },
        end -> counted(Update.of(channel(given), end.get(result)), part));
  }
}
