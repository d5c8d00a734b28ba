package dev.superstep.flow;

import dev.superstep.agent.Agent;
import dev.superstep.graph.NodePolicy;
import dev.superstep.node.Question;
import dev.superstep.run.Problem;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Collects the steps of a flow. Each takes one state, or several, and gives others; a state is a
/// type, and is taken by one step. Whether they fit together is checked by [#build], which reports
/// everything that is wrong at once. One thread at a time.
///
/// @param <I> the state that a run begins with
/// @param <O> the state that it ends with
public final class FlowBuilder<I, O> {
  private final String name;
  private final StateType<I> entry;
  private final StateType<O> exit;
  private final List<StepDefinition> parts = new ArrayList<>();
  private final List<Question<?, ?>> questions = new ArrayList<>();
  private final Map<String, NodePolicy> policies = new LinkedHashMap<>();
  private final List<Problem> problems = new ArrayList<>();
  private int loops;
  private boolean strict;

  FlowBuilder(String name, Class<I> input, Class<O> output) {
    if (name.isBlank()) throw new IllegalArgumentException("name must not be blank");
    this.name = name;
    this.entry = state(input);
    this.exit = state(output);
  }

  private <T> StateType<T> state(Class<T> type) {
    return StateType.of(name, type);
  }

  /// Makes a state from another; may block, call services, ask people.
  ///
  /// @throws FlowError.BuildError if values of a type cannot be stored or have no schema; so do all
  ///   the others here
  public <F, T> FlowBuilder<I, O> work(
      Class<F> from, Class<T> to, StepFunction<? super F, T> work) {
    return add(StepDefinition.Kind.WORK, from, to, work);
  }

  /// Makes a state from another, by a function without side effects.
  public <F, T> FlowBuilder<I, O> map(
      Class<F> from, Class<T> to, Function<? super F, ? extends T> function) {
    return add(StepDefinition.Kind.MAP, from, to, (value, _) -> function.apply(value));
  }

  private <F, T> FlowBuilder<I, O> add(
      StepDefinition.Kind kind,
      Class<F> from,
      Class<T> to,
      StepFunction<? super F, ? extends T> work) {
    StepDefinition.Transition transition =
        (in, context) -> one(work.run(from.cast(in.getFirst()), context));
    return add(kind, List.of(state(from)), List.of(state(to)), transition);
  }

  private FlowBuilder<I, O> add(
      StepDefinition.Kind kind,
      List<StateType<?>> from,
      List<StateType<?>> to,
      StepDefinition.Transition transition) {
    parts.add(new StepDefinition(kind, from, to, new StepDefinition.Body.Code(transition)));
    return this;
  }

  /// Lets an agent make a state from another, which it is given as JSON. Each time it has a
  /// conversation of its own.
  public <F, T> FlowBuilder<I, O> agent(Class<F> from, Class<T> to, Agent<T> agent) {
    var body = new StepDefinition.Body.Asked<>(agent);
    parts.add(
        new StepDefinition(
            StepDefinition.Kind.AGENT, List.of(state(from)), List.of(state(to)), body));
    return this;
  }

  /// Goes on with one of two states, chosen by a function without side effects.
  public <F, A, B> FlowBuilder<I, O> either(
      Class<F> from, Class<A> left, Class<B> right, Function<? super F, Either<A, B>> choice) {
    StepDefinition.Transition transition =
        (in, _) ->
            switch (choice.apply(from.cast(in.getFirst()))) {
              case Either.Left<A, B>(var value) -> chosen(2, 0, value);
              case Either.Right<A, B>(var value) -> chosen(2, 1, value);
            };
    var to = List.<StateType<?>>of(state(left), state(right));
    return add(StepDefinition.Kind.EITHER, List.of(state(from)), to, transition);
  }

  /// Goes on with one of several states: the records that implement a sealed interface, chosen by a
  /// function without side effects.
  public <F, S> FlowBuilder<I, O> choose(
      Class<F> from, Class<S> cases, Function<? super F, ? extends S> choice) {
    var types = new ArrayList<Class<?>>();
    Cases.of(cases, types);
    if (types.size() < 2) {
      throw new FlowError.BuildError(
          name,
          cases.getName(),
          "it must be a sealed interface over two records or more, which are the cases");
    }
    var to = new ArrayList<StateType<?>>();
    for (var type : types) to.add(state(type));
    StepDefinition.Transition transition =
        (in, _) -> {
          var value = choice.apply(from.cast(in.getFirst()));
          var place = value == null ? -1 : types.indexOf(value.getClass());
          return chosen(types.size(), Math.max(0, place), value);
        };
    return add(StepDefinition.Kind.CHOOSE, List.of(state(from)), to, transition);
  }

  private static List<@Nullable Object> one(@Nullable Object value) {
    return chosen(1, 0, value);
  }

  private static List<@Nullable Object> chosen(int of, int place, @Nullable Object value) {
    var all = new ArrayList<@Nullable Object>(java.util.Collections.nCopies(of, null));
    all.set(place, value);
    return all;
  }

  /// Continues with two states; their successors run in parallel, and must meet in a [#join].
  public <F, A, B> FlowBuilder<I, O> fork(
      Class<F> from, Class<A> left, Class<B> right, Function<? super F, Both<A, B>> function) {
    StepDefinition.Transition transition =
        (in, _) -> {
          var both = function.apply(from.cast(in.getFirst()));
          var values = new ArrayList<@Nullable Object>();
          values.add(both == null ? null : both.left());
          values.add(both == null ? null : both.right());
          return values;
        };
    var to = List.<StateType<?>>of(state(left), state(right));
    return add(StepDefinition.Kind.FORK, List.of(state(from)), to, transition);
  }

  /// Continues with several states, the components of a record. Their successors run in parallel,
  /// and must meet in a [#merge].
  ///
  /// ```java
  /// record Parts(Title title, Body body, Picture picture) {}
  /// builder.split(Draft.class, Parts.class, draft -> new Parts(...))
  /// ```
  public <F, R extends Record> FlowBuilder<I, O> split(
      Class<F> from, Class<R> record, Function<? super F, R> function) {
    var components = new Components<>(name, record);
    StepDefinition.Transition transition =
        (in, _) -> components.values(function.apply(from.cast(in.getFirst())));
    return add(StepDefinition.Kind.SPLIT, List.of(state(from)), components.states(), transition);
  }

  /// Waits for two states and makes one of them, by a function without side effects.
  public <A, B, T> FlowBuilder<I, O> join(
      Class<A> left, Class<B> right, Class<T> to, BiFunction<? super A, ? super B, T> function) {
    StepDefinition.Transition transition =
        (in, _) -> one(function.apply(left.cast(in.get(0)), right.cast(in.get(1))));
    var from = List.<StateType<?>>of(state(left), state(right));
    return add(StepDefinition.Kind.JOIN, from, List.of(state(to)), transition);
  }

  /// Waits for several states, the components of a record, and makes one of them, by a function
  /// without side effects.
  public <R extends Record, T> FlowBuilder<I, O> merge(
      Class<R> record, Class<T> to, Function<? super R, T> function) {
    var components = new Components<>(name, record);
    StepDefinition.Transition transition = (in, _) -> one(function.apply(components.of(in)));
    return add(StepDefinition.Kind.MERGE, components.states(), List.of(state(to)), transition);
  }

  /// Adds all steps of another flow, from its input to its output. Its inner states get a prefix
  /// here: `Draft` of a flow whose input is `Order` is `Order::Draft`.
  public FlowBuilder<I, O> flow(Flow<?, ?> inner) {
    parts.addAll(inner.inlined());
    questions.addAll(inner.questions());
    return this;
  }

  /// Runs a flow for each item of a list, in parallel, and combines the results, in the order of
  /// the items, into a state. The list may be empty.
  ///
  /// @param items without side effects; the combining function, too
  public <F, X, Y, T> FlowBuilder<I, O> each(
      Class<F> from,
      Function<F, List<X>> items,
      Flow<X, Y> flow,
      Class<T> to,
      BiFunction<F, List<Y>, T> gather) {
    var body = new StepDefinition.Body.Each<>(items, flow, gather);
    parts.add(
        new StepDefinition(
            StepDefinition.Kind.EACH, List.of(state(from)), List.of(state(to)), body));
    return this;
  }

  /// Stops until somebody answers: the one state is what is asked, the other is the answer.
  public <Q, A> FlowBuilder<I, O> suspend(Class<Q> asked, Class<A> answer) {
    var body = new StepDefinition.Body.Suspended();
    parts.add(
        new StepDefinition(
            StepDefinition.Kind.SUSPEND, List.of(state(asked)), List.of(state(answer)), body));
    return this;
  }

  /// Sets the policy of the step that takes this state: retries, timeouts and failure handling.
  public FlowBuilder<I, O> policy(Class<?> from, NodePolicy policy) {
    policies.put(state(from).key(), policy);
    return this;
  }

  /// Declares the questions that steps may ask: [FlowContext#ask].
  public FlowBuilder<I, O> questions(Question<?, ?>... more) {
    questions.addAll(List.of(more));
    return this;
  }

  /// Allows states to come again, and says how often each step of such a loop may run in a run.
  public FlowBuilder<I, O> loops(int most) {
    if (most < 1) throw new IllegalArgumentException("loops must be at least 1, was " + most);
    loops = most;
    return this;
  }

  /// Makes [#build] refuse the problems that are otherwise only [Flow#warnings].
  public FlowBuilder<I, O> strict() {
    strict = true;
    return this;
  }

  /// Checks everything and makes the flow. Later changes to this builder do not touch it.
  ///
  /// @throws FlowError.Invalid with every problem
  public Flow<I, O> build() {
    problems.clear();
    var all = withPolicies();
    var check = new FlowCheck(entry, exit, all, loops);
    problems.addAll(check.problems());
    var limited = check.limited();
    var warnings =
        problems.isEmpty() ? new Soundness(entry, exit, limited).warnings() : List.<Problem>of();
    if (strict) problems.addAll(warnings);
    if (!problems.isEmpty()) throw new FlowError.Invalid(name, problems);
    return new Flow<>(new Flow.Shape<>(name, entry, exit, limited, questions, warnings));
  }

  private List<StepDefinition> withPolicies() {
    var open = new HashMap<>(policies);
    var all = new ArrayList<StepDefinition>();
    for (var part : parts) {
      NodePolicy policy = null;
      for (var state : part.takes()) {
        var own = open.remove(state.key());
        if (own != null) policy = own;
      }
      all.add(policy == null ? part : part.with(policy));
    }
    for (var key : policies.keySet()) {
      if (!open.containsKey(key)) continue;
      problems.add(
          new Problem("unknown-state", "a policy is for `" + key + "`, which no step takes"));
    }
    return all;
  }

  /// The cases of a sealed interface.
  private static final class Cases {
    private static void of(Class<?> type, List<Class<?>> cases) {
      if (type.isRecord()) cases.add(type);
      else if (type.isSealed()) for (var one : type.getPermittedSubclasses()) of(one, cases);
    }
  }

  /// A record whose components are states.
  private static final class Components<R extends Record> {
    private final Class<R> record;
    private final List<StateType<?>> states = new ArrayList<>();
    private final Constructor<R> constructor;

    Components(String flow, Class<R> record) {
      this.record = record;
      var components = record.getRecordComponents();
      if (components.length < 2) {
        throw new FlowError.BuildError(
            flow, record.getName(), "it needs two components or more, each of which is a state");
      }
      var types = Arrays.stream(components).map(c -> c.getType()).toArray(Class<?>[]::new);
      for (var type : types) states.add(StateType.of(flow, type));
      try {
        constructor = record.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        for (var component : components) component.getAccessor().setAccessible(true);
      } catch (ReflectiveOperationException | RuntimeException e) {
        throw new FlowError.BuildError(
            flow, record.getName(), "it cannot be read from here; open its package: " + e);
      }
    }

    List<StateType<?>> states() {
      return states;
    }

    List<@Nullable Object> values(@Nullable R value) throws ReflectiveOperationException {
      var values = new ArrayList<@Nullable Object>();
      for (var component : record.getRecordComponents()) {
        values.add(value == null ? null : component.getAccessor().invoke(value));
      }
      return values;
    }

    R of(List<Object> values) throws ReflectiveOperationException {
      return Objects.requireNonNull(constructor.newInstance(values.toArray()));
    }
  }

  @Override
  public String toString() {
    return "FlowBuilder[" + name + "]";
  }
}
