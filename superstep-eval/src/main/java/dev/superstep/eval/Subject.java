package dev.superstep.eval;

import dev.superstep.agent.Agent;
import dev.superstep.eval.dataset.Digests;
import dev.superstep.eval.internal.AgentReader;
import dev.superstep.eval.internal.ChannelValues;
import dev.superstep.eval.internal.OutcomeReader;
import dev.superstep.eval.internal.StateReader;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.node.Update;
import dev.superstep.program.AgentProgram;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// The thing that is evaluated: an agent, a graph or a function. Each trial runs it on a thread of
/// its own, so that what a trial has finished is not done again after a crash. Immutable; the
/// `with` methods return changed copies. Trials run at the same time, so what runs must be safe for
/// many threads.
public final class Subject {
  private static final Channel<Json, Json> INPUT = Channel.latest("input", Json.class);
  private static final Channel<Json, Json> OUTPUT = Channel.latest("output", Json.class);

  private final String name;
  private final String version;
  private final Body body;

  /// The parts that run.
  record Body(
      Graph graph,
      Function<Json, Input> input,
      OutcomeReader reader,
      UnaryOperator<RunOptions> options) {}

  private Subject(String name, String version, Body body) {
    if (name.isBlank()) throw new IllegalArgumentException("name must not be blank");
    this.name = name;
    this.version = version;
    this.body = body;
  }

  /// An agent. A case gives it a text, or `{"messages": [...]}` with `role` and `content`.
  ///
  /// Its version is made of its name, its tools and the shape of its graph. That does not show a
  /// change of its model, its instructions or the code of its tools: set [#withVersion].
  public static Subject agent(Agent<?> agent) {
    AgentProgram program = _ -> agent;
    var version = Digests.of(agent.name() + agent.tools() + agent.graph().topology().hash());
    return new Subject(
        agent.name(), version, body(agent.graph(), program::input, new AgentReader(agent)));
  }

  /// A graph.
  ///
  /// Its version is the shape of the graph. That does not show a change of the code of nodes: set
  /// [#withVersion].
  ///
  /// @param input makes its input of that of a case; an exception is the result of the trial
  /// @param output reads the output from the last state
  public static Subject graph(
      Graph graph, Function<Json, Input> input, Function<State, Json> output) {
    return new Subject(
        graph.name(), graph.topology().hash(), body(graph, input, new StateReader(output)));
  }

  /// A graph whose inputs and outputs are JSON objects of its channels: a case gives `{"channel":
  /// value}` for each channel that has a value when the run begins, and the output has each channel
  /// that has one at the end. [RecordedCases#of(Graph, String)] makes such cases.
  public static Subject graph(Graph graph) {
    var channels = new ChannelValues(graph);
    return graph(graph, channels::input, channels::json);
  }

  /// A function from the input of a case to an output.
  ///
  /// @param version changes with the code
  public static Subject function(String name, String version, Work work) {
    var graph =
        Graph.named("function")
            .channels(INPUT, OUTPUT)
            .node("work", state -> Update.of(OUTPUT, work.apply(state.get(INPUT))))
            .edge(Graph.START, "work")
            .edge("work", Graph.END)
            .compile();
    var reader = new StateReader(state -> state.get(OUTPUT));
    return new Subject(name, version, body(graph, given -> Input.of(INPUT, given), reader));
  }

  private static Body body(Graph graph, Function<Json, Input> input, OutcomeReader reader) {
    return new Body(graph, input, reader, UnaryOperator.identity());
  }

  /// The name, for reports.
  public String name() {
    return name;
  }

  /// The identity of what it does: results of two versions are not mixed.
  public String version() {
    return version;
  }

  Body body() {
    return body;
  }

  /// A function that is evaluated.
  @FunctionalInterface
  public interface Work {
    /// Makes an output of the input of a case.
    ///
    /// @throws Exception which is the result of the trial
    Json apply(Json input) throws Exception;
  }

  /// Returns a copy under another name.
  public Subject withName(String other) {
    return new Subject(other, version, body);
  }

  /// Returns a copy with another version, such as a commit or a digest of prompts.
  public Subject withVersion(String other) {
    return new Subject(name, other, body);
  }

  /// Returns a copy whose runs have other options, such as values for their nodes. Thread, store
  /// and deadline are set by the evaluation.
  public Subject withOptions(UnaryOperator<RunOptions> change) {
    var changed = new Body(body.graph(), body.input(), body.reader(), change);
    return new Subject(name, version, changed);
  }

  @Override
  public String toString() {
    return "Subject[" + name + ", " + version + "]";
  }
}
