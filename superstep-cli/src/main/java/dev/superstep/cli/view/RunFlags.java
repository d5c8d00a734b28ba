package dev.superstep.cli.view;

import dev.superstep.cli.host.Terminal;
import dev.superstep.event.Redaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The flags that `run` and `resume` share. Immutable.
///
/// @param pairs answers as `ID=VALUE`
/// @param pairsFollow whether more of them come on standard input, one a line
public record RunFlags(
    Optional<String> model,
    Optional<String> store,
    BlanketYes yes,
    List<String> pairs,
    boolean pairsFollow,
    Events events,
    boolean debug,
    int concurrency) {
  private static final int LINES_MAX = 100_000;

  /// The selection of events to print.
  ///
  /// @param json whether standard output is JSON
  /// @param payloads whether events keep what programs, models and people said
  public record Events(boolean json, boolean payloads) {
    public Redaction redaction() {
      return payloads ? Redaction.none() : Redaction.payloads(RunManifest.LABELS);
    }
  }

  boolean json() {
    return events.json();
  }

  /// Collects all answers in the command; reads standard input if it has more of them.
  ///
  /// @throws dev.superstep.cli.host.UsageError if one is malformed
  public SuppliedAnswers given(Terminal terminal) {
    var all = new ArrayList<>(pairs);
    if (pairsFollow) {
      for (int i = 0; i < LINES_MAX; i++) {
        var line = terminal.readLine();
        if (line.isEmpty()) break;
        if (!line.get().isBlank()) all.add(line.get());
      }
    }
    return SuppliedAnswers.of(yes, all);
  }

  /// Returns true if a person may be asked.
  public boolean asks(Terminal terminal) {
    return terminal.asks() && !json() && !pairsFollow;
  }
}
