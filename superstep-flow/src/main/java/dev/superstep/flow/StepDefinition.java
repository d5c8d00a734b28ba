package dev.superstep.flow;

import dev.superstep.agent.Agent;
import dev.superstep.graph.NodePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A step of a flow: which states it takes, which it gives, what it does. Immutable.
///
/// @param policy what is done if it fails or takes too long, if it says so
/// @param limit how often it may run in a run of the flow; 0 if it is in no loop
record StepDefinition(
    Kind kind,
    List<StateType<?>> takes,
    List<StateType<?>> gives,
    Body body,
    @Nullable NodePolicy policy,
    int limit) {
  StepDefinition {
    takes = List.copyOf(takes);
    gives = List.copyOf(gives);
  }

  StepDefinition(Kind kind, List<StateType<?>> takes, List<StateType<?>> gives, Body body) {
    this(kind, takes, gives, body, null, 0);
  }

  /// The kind of a step.
  enum Kind {
    WORK,
    MAP,
    AGENT,
    EITHER,
    CHOOSE,
    FORK,
    SPLIT,
    JOIN,
    MERGE,
    EACH,
    SUSPEND;

    /// Returns whether a step of this kind produces one of its states instead of all.
    boolean isChoice() {
      return this == EITHER || this == CHOOSE;
    }

    /// Returns whether a step of this kind waits for several states.
    boolean isMeeting() {
      return this == JOIN || this == MERGE;
    }

    String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /// The work of a step.
  sealed interface Body {
    /// Code of the flow's author.
    record Code(Transition transition) implements Body {}

    /// A model with tools.
    record Asked<A>(Agent<A> agent) implements Body {}

    /// The answer of a person, or of another program.
    record Suspended() implements Body {}

    /// A flow for each item of a list.
    record Each<F, X, Y, T>(
        Function<F, List<X>> items, Flow<X, Y> flow, BiFunction<F, List<Y>, T> gather)
        implements Body {}
  }

  /// A step's code, from the values that it takes to the values that it gives, both in the order of
  /// their states; null for a state that is not chosen.
  @FunctionalInterface
  interface Transition {
    List<@Nullable Object> run(List<Object> taken, FlowContext context) throws Exception;
  }

  /// The name of its node: the key of what it takes.
  String name() {
    return takes.stream().map(StateType::key).collect(Collectors.joining(" and "));
  }

  /// A one-line description of the step.
  String line() {
    var from = takes.stream().map(StateType::key).collect(Collectors.joining(" & "));
    var between = kind.isChoice() ? " | " : " & ";
    var to = gives.stream().map(StateType::key).collect(Collectors.joining(between));
    return kind.word() + " " + from + " -> " + to + note();
  }

  private String note() {
    var often = limit == 0 ? "" : ", at most " + limit + " times";
    return switch (body) {
      case Body.Code _, Body.Suspended _ -> often;
      case Body.Asked<?>(var agent) -> " by " + agent.name() + tools(agent) + often;
      case Body.Each<?, ?, ?, ?> each -> " by " + each.flow().name() + often;
    };
  }

  private static String tools(Agent<?> agent) {
    return agent.tools().isEmpty() ? "" : " with " + String.join(", ", agent.tools());
  }

  /// Returns the step with its state names in a flow that contains this one.
  StepDefinition renamed(UnaryOperator<String> names) {
    return new StepDefinition(
        kind, renamed(takes, names), renamed(gives, names), body, policy, limit);
  }

  private static List<StateType<?>> renamed(List<StateType<?>> all, UnaryOperator<String> names) {
    var renamed = new ArrayList<StateType<?>>();
    for (var one : all) renamed.add(one.named(names.apply(one.key())));
    return renamed;
  }

  StepDefinition with(NodePolicy other) {
    return new StepDefinition(kind, takes, gives, body, other, limit);
  }

  StepDefinition limited(int most) {
    return new StepDefinition(kind, takes, gives, body, policy, most);
  }

  @Override
  public String toString() {
    return line();
  }
}
