package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.bench.measure.Caller;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import dev.superstep.graph.Graph;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// W2: one node sends many arguments; each task appends to one list.
final class FanOut implements Workload {
  private static final Channel<List<String>, String> ITEMS = Channel.append("items", String.class);
  private static final Target<Integer> TASK = Target.of("task", Integer.class);
  // Small fan-outs are run several times, since one is too short to be timed.
  private static final int SENDS_MIN = 1_000;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int sends = what.number(1);
    int runs = Math.max(1, SENDS_MIN / sends);
    var graph = graph(sends);
    var items = new ArrayList<String>();
    Span.Body run =
        () -> {
          for (int i = 0; i < runs; i++) {
            var found = Outcomes.state(graph.invoke(Input.none())).get(ITEMS);
            if (i == 0) items.addAll(found);
          }
        };
    for (var caller : Caller.of(what)) {
      what.warmUp(out, caller.variant(), sends * runs, () -> caller.run(run));
      for (int i = 0; i < what.repetitions(); i++) {
        items.clear();
        out.add(caller.variant(), "send", Span.of(() -> caller.run(run)), sends * runs);
        out.check(caller.variant(), expected(sends), items);
      }
    }
  }

  private static List<String> expected(int sends) {
    return IntStream.range(0, sends).mapToObj(number -> "item-" + number).toList();
  }

  static Graph graph(int sends) {
    return Graph.named("fan-out")
        .channels(ITEMS)
        .node("plan", (_, _) -> NodeResult.nothing())
        .node(TASK, (number, _, _) -> Update.of(ITEMS, "item-" + number))
        .edge(START, "plan")
        .fanOut("plan", _ -> sends(sends), TASK)
        .edge("task", END)
        .compile();
  }

  private static List<Send<?>> sends(int count) {
    var sends = new ArrayList<Send<?>>(count);
    for (int i = 0; i < count; i++) sends.add(Send.to(TASK, i));
    return sends;
  }
}
