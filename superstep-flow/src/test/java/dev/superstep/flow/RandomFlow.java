package dev.superstep.flow;

import dev.superstep.agent.Agent;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.testkit.Choices;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;

/// A flow of random steps, with agents, questions, loops and steps that fail the first time. Made
/// anew for each run, so that it knows what happened in that run.
final class RandomFlow {
  /// A state: a number of a type of its own.
  interface V {
    long v();
  }

  record S0(long v) implements V {}

  record S1(long v) implements V {}

  record S2(long v) implements V {}

  record S3(long v) implements V {}

  record S4(long v) implements V {}

  record S5(long v) implements V {}

  record S6(long v) implements V {}

  record S7(long v) implements V {}

  record S8(long v) implements V {}

  record S9(long v) implements V {}

  record S10(long v) implements V {}

  record S11(long v) implements V {}

  record S12(long v) implements V {}

  record S13(long v) implements V {}

  record S14(long v) implements V {}

  record S15(long v) implements V {}

  record S16(long v) implements V {}

  record S17(long v) implements V {}

  record S18(long v) implements V {}

  record S19(long v) implements V {}

  record S20(long v) implements V {}

  record S21(long v) implements V {}

  record S22(long v) implements V {}

  record S23(long v) implements V {}

  record S24(long v) implements V {}

  record S25(long v) implements V {}

  record S26(long v) implements V {}

  record S27(long v) implements V {}

  record S28(long v) implements V {}

  record S29(long v) implements V {}

  record S30(long v) implements V {}

  record S31(long v) implements V {}

  record S32(long v) implements V {}

  record S33(long v) implements V {}

  record S34(long v) implements V {}

  record S35(long v) implements V {}

  record S36(long v) implements V {}

  record S37(long v) implements V {}

  record S38(long v) implements V {}

  record S39(long v) implements V {}

  record S40(long v) implements V {}

  record S41(long v) implements V {}

  record S42(long v) implements V {}

  record S43(long v) implements V {}

  record S44(long v) implements V {}

  record S45(long v) implements V {}

  record S46(long v) implements V {}

  record S47(long v) implements V {}

  private static final List<Class<? extends V>> TYPES =
      List.of(
          S0.class, S1.class, S2.class, S3.class, S4.class, S5.class, S6.class, S7.class, S8.class,
          S9.class, S10.class, S11.class, S12.class, S13.class, S14.class, S15.class, S16.class,
          S17.class, S18.class, S19.class, S20.class, S21.class, S22.class, S23.class, S24.class,
          S25.class, S26.class, S27.class, S28.class, S29.class, S30.class, S31.class, S32.class,
          S33.class, S34.class, S35.class, S36.class, S37.class, S38.class, S39.class, S40.class,
          S41.class, S42.class, S43.class, S44.class, S45.class, S46.class, S47.class);

  /// What follows what.
  sealed interface Step {
    record Work(boolean fails) implements Step {}

    record Ask() implements Step {}

    record AskInside() implements Step {}

    record Agent(boolean hasTool) implements Step {}

    record Each(List<Step> steps) implements Step {}

    record Fork(List<Step> left, List<Step> right) implements Step {}

    record Choice(List<Step> left, List<Step> right) implements Step {}

    record Nested(List<Step> steps) implements Step {}

    record Again() implements Step {}
  }

  record Number(long v) {}

  /// The steps of a flow, at least one, that need no more states than there are.
  static List<Step> draw(Choices choices) {
    return draw(choices, 3);
  }

  private static List<Step> draw(Choices choices, int depth) {
    var steps = new ArrayList<Step>();
    int length = choices.between(1, depth == 3 ? 3 : 2);
    for (int i = 0; i < length; i++) steps.add(step(choices, depth));
    return List.copyOf(steps);
  }

  private static Step step(Choices choices, int depth) {
    return switch (choices.below(depth == 0 ? 5 : 9)) {
      case 0 -> new Step.Work(choices.chance(25));
      case 1 -> new Step.Ask();
      case 2 -> new Step.Agent(choices.chance(50));
      case 3 -> new Step.AskInside();
      case 4 -> new Step.Again();
      case 5 -> new Step.Each(draw(choices, 0));
      case 6 -> new Step.Fork(draw(choices, depth - 2), draw(choices, depth - 2));
      case 7 -> new Step.Choice(draw(choices, depth - 2), draw(choices, depth - 2));
      default -> new Step.Nested(draw(choices, depth - 2));
    };
  }

  private static final dev.superstep.node.Question<Long, Long> INSIDE =
      dev.superstep.node.Question.of("inside", Long.class, Long.class);

  private final Set<String> failed = ConcurrentHashMap.newKeySet();
  private int used;
  private int flows;

  /// What was done, once for each time.
  final List<String> effects = new CopyOnWriteArrayList<>();

  /// How often a step was made to fail.
  int failures() {
    return failed.size();
  }

  /// How many states the steps need.
  static int size(List<Step> steps) {
    int size = 1;
    for (var step : steps) {
      size +=
          switch (step) {
            case Step.Work _, Step.Ask _, Step.AskInside _, Step.Agent _ -> 1;
            case Step.Again _ -> 3;
            case Step.Each(var inner) -> 2 + size(inner);
            case Step.Nested(var inner) -> 1 + size(inner);
            case Step.Fork(var left, var right) -> 2 + size(left) + size(right);
            case Step.Choice(var left, var right) -> 2 + size(left) + size(right);
          };
    }
    return size;
  }

  Flow<V, V> flow(List<Step> steps) {
    used = 0;
    flows = 0;
    return made("flow", steps);
  }

  @SuppressWarnings("unchecked") // all states are alike
  private Flow<V, V> made(String name, List<Step> steps) {
    var from = fresh();
    var to = fresh();
    var builder = Flow.named(name, (Class<V>) from, (Class<V>) to);
    builder.loops(5).questions(INSIDE);
    line(builder, steps, from, to);
    return builder.build();
  }

  private Class<? extends V> fresh() {
    return TYPES.get(used++);
  }

  private void line(
      FlowBuilder<V, V> builder, List<Step> steps, Class<? extends V> from, Class<? extends V> to) {
    var at = from;
    for (int i = 0; i < steps.size(); i++) {
      var next = i == steps.size() - 1 ? to : fresh();
      add(builder, steps.get(i), at, next);
      at = next;
    }
  }

  private <A extends V, B extends V> void add(
      FlowBuilder<V, V> builder, Step step, Class<A> from, Class<B> to) {
    switch (step) {
      case Step.Work(var fails) ->
          builder.work(from, to, (a, _) -> work(fails, from, a.v(), to, 3 * a.v() + 1));
      case Step.Ask() -> builder.suspend(from, to);
      case Step.AskInside() ->
          builder.work(from, to, (a, c) -> work(false, from, a.v(), to, asked(a.v(), c)));
      case Step.Agent(var hasTool) -> builder.agent(from, to, agent(hasTool, to));
      case Step.Again() -> again(builder, from, to);
      case Step.Each(var inner) -> each(builder, inner, from, to);
      case Step.Nested(var inner) -> nested(builder, inner, from, to);
      case Step.Fork(var left, var right) -> fork(builder, left, right, from, to);
      case Step.Choice(var left, var right) -> choice(builder, left, right, from, to);
    }
  }

  private <B extends V> B work(boolean fails, Class<?> from, long v, Class<B> to, long made) {
    var what = from.getSimpleName() + ":" + v;
    if (fails && failed.add(what)) throw new IllegalStateException("fails once");
    effects.add(what);
    return value(to, made % 1_000);
  }

  private static long asked(long v, FlowContext context) {
    return context.ask(INSIDE, v);
  }

  private <B extends V> Agent<B> agent(boolean hasTool, Class<B> answer) {
    var ask =
        Tool.of(
            "ask",
            "Asks.",
            Number.class,
            (number, context) -> {
              var said = context.suspend(Json.of(number.v()));
              effects.add("tool:" + said);
              return said.text();
            });
    return Agent.named("agent")
        .model(ScriptedModel.by(request -> reply(request, hasTool)))
        .tools(ask)
        .answering(answer);
  }

  private static ChatReply reply(ChatRequest request, boolean hasTool) {
    var messages = request.messages();
    var last = messages.getLast();
    if (last instanceof ToolMessage told) {
      return ScriptedModel.text("{\"v\":" + (Long.parseLong(told.text()) + 7) + "}");
    }
    var task = Json.parse(last.text()).as(Number.class).v();
    if (!hasTool) return ScriptedModel.text("{\"v\":" + (task + 5) + "}");
    return ScriptedModel.calls(new ToolCall("c" + task, "ask", "{\"v\":" + task + "}"));
  }

  private <A extends V, B extends V> void again(
      FlowBuilder<V, V> builder, Class<A> from, Class<B> to) {
    loop(builder, from, to, fresh(), fresh());
  }

  private <A extends V, B extends V, C extends V, D extends V> void loop(
      FlowBuilder<V, V> builder, Class<A> from, Class<B> to, Class<C> at, Class<D> more) {
    builder.map(from, at, a -> value(at, a.v()));
    builder.either(
        at,
        more,
        to,
        c -> c.v() % 3 != 0 ? Either.left(value(more, c.v())) : Either.right(value(to, c.v())));
    builder.work(more, at, (d, _) -> work(false, more, d.v(), at, d.v() - 1));
  }

  private <A extends V, B extends V> void each(
      FlowBuilder<V, V> builder, List<Step> inner, Class<A> from, Class<B> to) {
    int entry = used;
    var flow = made("each-" + flows++, inner);
    var item = TYPES.get(entry);
    builder.each(
        from,
        a -> LongStream.range(0, a.v() % 4).<V>mapToObj(i -> value(item, a.v() + i)).toList(),
        flow,
        to,
        (a, all) -> value(to, (a.v() + all.stream().mapToLong(V::v).sum()) % 1_000));
  }

  private <A extends V, B extends V> void nested(
      FlowBuilder<V, V> builder, List<Step> inner, Class<A> from, Class<B> to) {
    int entry = used;
    var flow = made("nested-" + flows++, inner);
    var begin = TYPES.get(entry);
    var end = TYPES.get(entry + 1);
    same(builder, from, begin);
    builder.flow(flow);
    same(builder, end, to);
  }

  private static <A extends V, B extends V> void same(
      FlowBuilder<V, V> builder, Class<A> from, Class<B> to) {
    builder.map(from, to, a -> value(to, a.v()));
  }

  private <A extends V, B extends V> void fork(
      FlowBuilder<V, V> builder, List<Step> left, List<Step> right, Class<A> from, Class<B> to) {
    var one = fresh();
    var other = fresh();
    forked(builder, from, one, other);
    var first = fresh();
    var second = fresh();
    line(builder, left, one, first);
    line(builder, right, other, second);
    joined(builder, first, second, to);
  }

  private static <A extends V, L extends V, R extends V> void forked(
      FlowBuilder<V, V> builder, Class<A> from, Class<L> left, Class<R> right) {
    builder.fork(from, left, right, a -> Both.of(value(left, a.v()), value(right, a.v() + 1)));
  }

  private static <L extends V, R extends V, B extends V> void joined(
      FlowBuilder<V, V> builder, Class<L> left, Class<R> right, Class<B> to) {
    builder.join(left, right, to, (l, r) -> value(to, (5 * l.v() + r.v()) % 1_000));
  }

  private <A extends V, B extends V> void choice(
      FlowBuilder<V, V> builder, List<Step> left, List<Step> right, Class<A> from, Class<B> to) {
    var one = fresh();
    var other = fresh();
    chosen(builder, from, one, other);
    line(builder, left, one, to);
    line(builder, right, other, to);
  }

  private static <A extends V, L extends V, R extends V> void chosen(
      FlowBuilder<V, V> builder, Class<A> from, Class<L> left, Class<R> right) {
    builder.either(
        from,
        left,
        right,
        a -> a.v() % 2 == 0 ? Either.left(value(left, a.v())) : Either.right(value(right, a.v())));
  }

  static V input(long v) {
    return value(TYPES.getFirst(), v);
  }

  private static <T extends V> T value(Class<T> type, long v) {
    try {
      var constructor = type.getDeclaredConstructor(long.class);
      constructor.setAccessible(true);
      return constructor.newInstance(v);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
