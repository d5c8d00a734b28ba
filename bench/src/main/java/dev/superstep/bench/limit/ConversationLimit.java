package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Messages;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Stamps;
import dev.superstep.bench.measure.Workload;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// W3: a conversation that grows by a message of 1 KiB in each step. A step keeps the new message
/// and where it stands, in one transaction.
record ConversationLimit(RowStore.Opener opener) implements Workload {
  private static final String VARIANT = "delta";
  private static final String THREAD = "conversation";
  private static final int WARM_UP_STEPS = 1_000;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    what.warmUp(out, VARIANT, WARM_UP_STEPS, () -> run(what.kind(), WARM_UP_STEPS, null));
    what.repeat(what.repetitions(), () -> run(what.kind(), steps, out));
  }

  private void run(String kind, int steps, @Nullable Recorder out) throws Exception {
    var stamps = new Stamps(steps);
    try (var rows = opener.open(kind)) {
      long before = rows.bytes();
      var messages = new ArrayList<String>();
      var span =
          Span.of(() -> {
            var held = rows.begin(THREAD, "say", () -> "");
            while (messages.size() < steps) {
              var message = Messages.of(stamps.next());
              messages.add(message);
              if (messages.size() < steps) held = rows.add(held, "say", message);
              else rows.end(held, "", message);
            }
          });
      if (out == null) return;
      out.add(VARIANT, "wall_ms", span.micros() / 1_000);
      out.add(VARIANT, "step", span, steps);
      stamps.record(out, VARIANT);
      if (rows.bytes() > 0) out.add(VARIANT, "disk_bytes", rows.bytes() - before);
      out.check(VARIANT, steps, messages.size());
      if (kind.equals("none")) return;
      out.check(VARIANT, Messages.of(steps - 1), rows.last(THREAD).body());
    }
  }
}
