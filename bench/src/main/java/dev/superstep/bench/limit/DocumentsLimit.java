package dev.superstep.bench.limit;

import dev.superstep.bench.limit.RowStore.Held;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Documents;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// W13: an array of documents as text, of which a step replaces one. What was replaced is kept as a
/// row before the next step (`sync`), by another thread meanwhile (`async`), or once at the end
/// (`exit`); with guarantees the input too.
record DocumentsLimit(RowStore.Opener opener) implements Workload {
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

  /// Adds one row after the other. One thread at a time.
  private static final class Writer {
    private final RowStore rows;
    private Held held;

    Writer(RowStore rows, String[] state) throws SQLException {
      this.rows = rows;
      this.held = rows.begin("documents", "step", () -> String.join(",", state));
    }

    boolean add(String text, boolean isLast) throws SQLException {
      if (isLast) rows.end(held, "", text);
      else held = rows.add(held, "step", text);
      return isLast;
    }
  }

  private void run(
      String kind, Documents<String> documents, int steps, String variant, @Nullable Recorder out)
      throws Exception {
    try (var rows = opener.open(kind);
        var thread = Executors.newSingleThreadExecutor()) {
      var state = documents.inputs().toArray(String[]::new);
      var span =
          Span.of(() -> {
            var writer = new Writer(rows, state);
            Future<?> written = null;
            for (int n = 0; n < steps; n++) {
              var text = documents.change(n);
              state[Documents.channel(n)] = text;
              boolean isLast = n == steps - 1;
              if (variant.equals("sync")) writer.add(text, isLast);
              if (variant.equals("async")) written = thread.submit(() -> writer.add(text, isLast));
            }
            if (variant.equals("exit")) writer.add(String.join(",", state), true);
            if (written != null) written.get();
          });
      if (out == null) return;
      out.check(variant, documents.last(steps), state[0]);
      out.add(variant, "step", span, steps);
      if (rows.bytes() > 0) out.add(variant, "disk_bytes", rows.bytes());
    }
  }
}
