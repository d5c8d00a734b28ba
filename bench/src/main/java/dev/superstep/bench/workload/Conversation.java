package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.bench.measure.Caller;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Messages;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Stamps;
import dev.superstep.bench.measure.Workload;
import dev.superstep.graph.Graph;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// W3: a conversation that grows by a message of 1 KiB in each superstep, and is kept or not.
final class Conversation implements Workload {
  private static final Channel<List<String>, String> MESSAGES =
      Channel.append("messages", String.class);
  private static final int WARM_UP_STEPS = 1_000;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    for (var caller : Caller.of(what)) {
      what.warmUp(
          out,
          caller.variant(),
          WARM_UP_STEPS,
          () -> run(what.kind(), WARM_UP_STEPS, caller, null));
      what.repeat(what.repetitions(), () -> run(what.kind(), steps, caller, out));
    }
  }

  private static void run(String kind, int steps, Caller caller, @Nullable Recorder out)
      throws Exception {
    var stamps = new Stamps(steps);
    var graph = graph(steps, stamps);
    try (var kept = ThreadStorage.open(kind)) {
      var options = kept.options("conversation").stepLimit(steps + 1);
      long before = kept.bytes();
      var sizes = new int[1];
      var span =
          Span.of(() ->
              caller.run(() ->
                  sizes[0] =
                      Outcomes.state(graph.invoke(Input.none(), options)).get(MESSAGES).size()));
      if (out == null) return;
      out.check(caller.variant(), steps, sizes[0]);
      out.add(caller.variant(), "wall_ms", span.micros() / 1_000);
      out.add(caller.variant(), "step", span, steps);
      stamps.record(out, caller.variant());
      if (kept.bytes() > 0) out.add(caller.variant(), "disk_bytes", kept.bytes() - before);
      if (kept.store().isEmpty()) return;
      var found = graph.state(options).orElseThrow().state().get(MESSAGES);
      out.check(caller.variant(), Messages.of(steps - 1), found.get(steps - 1));
    }
  }

  private static Graph graph(int steps, Stamps stamps) {
    return Graph.named("conversation")
        .channels(MESSAGES)
        .node("say", (_, _) -> Update.of(MESSAGES, Messages.of(stamps.next())))
        .edge(START, "say")
        .route("say", state -> state.get(MESSAGES).size() < steps ? "say" : END, "say", END)
        .compile();
  }
}
