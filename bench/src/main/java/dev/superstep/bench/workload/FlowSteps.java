package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.flow.Flow;
import dev.superstep.flow.FlowBuilder;
import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.function.LongFunction;

/// W11: a typed flow of ten steps that count, run many times, and the same graph written by hand:
/// ten nodes on ten typed channels, in a row.
final class FlowSteps implements Workload {
  private static final int STEPS = 10;

  /// A state: how far it was counted.
  interface Counted {
    long n();
  }

  record S0(long n) implements Counted {}

  record S1(long n) implements Counted {}

  record S2(long n) implements Counted {}

  record S3(long n) implements Counted {}

  record S4(long n) implements Counted {}

  record S5(long n) implements Counted {}

  record S6(long n) implements Counted {}

  record S7(long n) implements Counted {}

  record S8(long n) implements Counted {}

  record S9(long n) implements Counted {}

  record S10(long n) implements Counted {}

  private static final Channel<S0, S0> INPUT = Channel.latest("s0", S0.class);
  private static final Channel<S10, S10> OUTPUT = Channel.latest("s10", S10.class);

  private int threads;

  /// A way to run the flow once.
  @FunctionalInterface
  private interface Way {
    long run(RunOptions options) throws Exception;
  }

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int runs = what.number(1);
    var flow = flow();
    var graph = graph();
    Way asFlow = options -> flow.run(new S0(0), options).output().n();
    Way byHand =
        options ->
            Outcomes.state(graph.invoke(Input.of(INPUT, new S0(0)), options)).get(OUTPUT).n();
    var sum = new long[1];
    Span.Body flows = () -> sum[0] = sum(asFlow, runs, what);
    Span.Body graphs = () -> sum[0] = sum(byHand, runs, what);
    what.warmUp(out, "flow", STEPS * runs, flows);
    what.warmUp(out, "graph", STEPS * runs, graphs);
    what.repeat(
        what.repetitions(),
        () -> {
          out.add("flow", "step", Span.of(flows), STEPS * runs);
          out.check("flow", (long) STEPS * runs, sum[0]);
          out.add("graph", "step", Span.of(graphs), STEPS * runs);
          out.check("graph", (long) STEPS * runs, sum[0]);
        });
  }

  private long sum(Way way, int runs, Case what) throws Exception {
    long sum = 0;
    var store = what.kind().equals("none") ? null : new InMemoryCheckpointer();
    for (int i = 0; i < runs; i++) {
      var options =
          store == null
              ? RunOptions.defaults()
              : RunOptions.thread("t" + threads++).checkpoints(store);
      sum += way.run(options);
    }
    return sum;
  }

  private static Flow<S0, S10> flow() {
    var flow = Flow.named("count", S0.class, S10.class);
    step(flow, S0.class, S1.class, S1::new);
    step(flow, S1.class, S2.class, S2::new);
    step(flow, S2.class, S3.class, S3::new);
    step(flow, S3.class, S4.class, S4::new);
    step(flow, S4.class, S5.class, S5::new);
    step(flow, S5.class, S6.class, S6::new);
    step(flow, S6.class, S7.class, S7::new);
    step(flow, S7.class, S8.class, S8::new);
    step(flow, S8.class, S9.class, S9::new);
    step(flow, S9.class, S10.class, S10::new);
    return flow.build();
  }

  private static <A extends Counted, B> void step(
      FlowBuilder<S0, S10> flow, Class<A> from, Class<B> to, LongFunction<B> make) {
    flow.work(from, to, (a, _) -> make.apply(a.n() + 1));
  }

  private static Graph graph() {
    var graph = Graph.named("count").channels(INPUT, OUTPUT);
    var s1 = node(graph, "n0", INPUT, S1.class, S1::new);
    var s2 = node(graph, "n1", s1, S2.class, S2::new);
    var s3 = node(graph, "n2", s2, S3.class, S3::new);
    var s4 = node(graph, "n3", s3, S4.class, S4::new);
    var s5 = node(graph, "n4", s4, S5.class, S5::new);
    var s6 = node(graph, "n5", s5, S6.class, S6::new);
    var s7 = node(graph, "n6", s6, S7.class, S7::new);
    var s8 = node(graph, "n7", s7, S8.class, S8::new);
    var s9 = node(graph, "n8", s8, S9.class, S9::new);
    graph.node("n9", (state, _) -> Update.of(OUTPUT, new S10(state.get(s9).n() + 1)));
    var names = List.of("n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9");
    graph.edge(START, "n0");
    for (int i = 1; i < names.size(); i++) graph.edge(names.get(i - 1), names.get(i));
    return graph.edge("n9", END).compile();
  }

  private static <A extends Counted, B> Channel<B, B> node(
      GraphBuilder graph, String name, Channel<A, A> from, Class<B> type, LongFunction<B> make) {
    var to = Channel.latest(type.getSimpleName(), type);
    graph.channels(to);
    graph.node(name, (state, _) -> Update.of(to, make.apply(state.get(from).n() + 1)));
    return to;
  }
}
