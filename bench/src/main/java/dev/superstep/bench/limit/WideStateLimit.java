package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Document;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// W9: an array of 25 documents, of which a step replaces one or none. What is kept is the one that
/// was replaced, as JSON; with guarantees the input too, as one row.
record WideStateLimit(RowStore.Opener opener) implements Workload {
  private static final int CHANNELS = 25;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    for (var variant : List.of("one", "count")) {
      what.warmUp(out, variant, steps, () -> run(what.kind(), steps, variant, null));
      what.repeat(what.repetitions(), () -> run(what.kind(), steps, variant, out));
    }
  }

  private void run(String kind, int steps, String variant, @Nullable Recorder out)
      throws Exception {
    boolean writes = variant.equals("one");
    boolean keeps = !kind.equals("none");
    try (var rows = opener.open(kind)) {
      var state = new Document[CHANNELS];
      for (int i = 0; i < CHANNELS; i++) state[i] = Document.of(i);
      var span =
          Span.of(() -> {
            var held = rows.begin("wide", "step", () -> input(state));
            for (int n = 0; n < steps; n++) {
              if (writes) state[n % CHANNELS] = Document.of(n);
              var body = n + (writes && keeps ? state[n % CHANNELS].json() : "");
              if (n < steps - 1) held = rows.add(held, "step", body);
              else rows.end(held, "", body);
            }
          });
      if (out == null) return;
      long first = writes ? (steps - 1) / CHANNELS * CHANNELS : 0;
      out.check(variant, Document.of(first), state[0]);
      out.add(variant, "step", span, steps);
      if (rows.bytes() > 0) out.add(variant, "disk_bytes", rows.bytes());
    }
  }

  private static String input(Document[] state) {
    var input = new StringBuilder();
    for (var document : state) input.append(document.json());
    return input.toString();
  }
}
