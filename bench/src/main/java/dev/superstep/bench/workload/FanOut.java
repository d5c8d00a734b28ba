package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.bench.measure.Caller;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Input;
import dev.superstep.graph.NodeResult;
import dev.superstep.graph.Send;
import dev.superstep.graph.Target;
import dev.superstep.graph.Update;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;

/// W2: one node sends many arguments; each task appends to one list.
final class FanOut implements Workload {
  private static final Channel<List<String>, String> ITEMS = Channel.append("items", String.class);
  private static final Target<Integer> TASK = Target.of("task", Integer.class);
  private static final int WARM_UP_SENDS = 50_000;
  private static final int WARM_UPS_MAX = 3_000;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int sends = what.number(1);
    var graph = graph(sends);
    int warmUps = Math.min(WARM_UPS_MAX, Math.max(1, WARM_UP_SENDS / sends));
    for (int i = -warmUps; i < what.repetitions(); i++) {
      for (var caller : Caller.values()) {
        var items = new ArrayList<List<String>>();
        var span =
            Span.of(() ->
                caller.run(() -> items.add(Outcomes.state(graph.invoke(Input.none())).get(ITEMS))));
        out.check(caller.variant(), sends, items.getFirst().size());
        out.check(caller.variant(), "item-" + (sends - 1), items.getFirst().getLast());
        if (i >= 0) out.add(caller.variant(), "send", span, sends);
      }
    }
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
