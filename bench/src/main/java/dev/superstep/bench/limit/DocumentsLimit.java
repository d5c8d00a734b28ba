package dev.superstep.bench.limit;

import dev.superstep.bench.limit.Rows.Row;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Documents;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// W13: an array of documents as text, of which a step replaces one. What was replaced is kept as a
/// row before the next step (`sync`), by another thread meanwhile (`async`), or once at the end
/// (`exit`).
final class DocumentsLimit implements Workload {
  private static final String THREAD = "documents";

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    var documents = Documents.of(what.number(2), document -> document.json());
    boolean keeps = !what.kind().equals("none");
    for (var variant : keeps ? List.of("sync", "async", "exit") : List.of("none")) {
      what.warmUp(out, variant, steps, () -> run(what.kind(), documents, steps, variant, null));
      what.repeat(what.repetitions(), () -> run(what.kind(), documents, steps, variant, out));
    }
  }

  private static void run(
      String kind, Documents<String> documents, int steps, String variant, @Nullable Recorder out)
      throws Exception {
    try (var rows = Rows.open(kind);
        var writer = Executors.newSingleThreadExecutor()) {
      var state = documents.inputs().toArray(String[]::new);
      var span =
          Span.of(() -> {
            Future<?> written = null;
            for (int n = 0; n < steps; n++) {
              var text = documents.change(n);
              state[Documents.channel(n)] = text;
              var row = new Row(THREAD, n, "step", variant.equals("exit") ? "" : text);
              if (variant.equals("sync")) rows.add(row);
              if (variant.equals("async")) written = later(writer, rows, row);
            }
            if (variant.equals("exit")) {
              rows.add(THREAD, steps, "", String.join(",", state));
            }
            if (written != null) written.get();
          });
      if (out == null) return;
      out.check(variant, documents.last(steps), state[0]);
      out.add(variant, "step", span, steps);
      if (rows.bytes() > 0) out.add(variant, "disk_bytes", rows.bytes());
    }
  }

  private static Future<?> later(ExecutorService writer, Rows rows, Row row) {
    return writer.submit(() -> {
      rows.add(row);
      return row;
    });
  }
}
