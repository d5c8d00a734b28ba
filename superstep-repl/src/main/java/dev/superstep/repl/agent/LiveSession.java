package dev.superstep.repl.agent;

import dev.superstep.middleware.AgentContext;
import dev.superstep.repl.CellResult;
import dev.superstep.repl.ReplSession;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.host.TextSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The session of a run of an agent, as it is in memory. It can be made again at any time from the
/// records of its cells. One thread at a time.
final class LiveSession {
  private final CallCounts counts;
  private final GraphLines lines = new GraphLines();
  private final ReadText text;
  private final ReplSession session;
  private int cells;
  private boolean isWhole = true;
  private @Nullable CellCalls calls;

  /// @param text the value of `context`
  LiveSession(SessionAccess access, TextSource text) {
    this.counts = new CallCounts(access.limits());
    this.text = new ReadText(text);
    var host =
        Capabilities.none()
            .with("context", new HostValue.Document(this.text))
            .withBudget(counts::all);
    for (var function : access.functions(this)) host = host.with(function);
    this.session = ReplSession.open(access.policy(), host);
  }

  /// Returns whether a cell has read any of its text.
  boolean hasRead() {
    return text.wasRead();
  }

  CallCounts counts() {
    return counts;
  }

  /// The threads of graphs that cells have named.
  GraphLines lines() {
    return lines;
  }

  /// The calls of the cell that runs.
  CellCalls calls() {
    var now = calls;
    if (now == null) throw new IllegalStateException("no cell runs");
    return now;
  }

  /// Returns whether it has run these cells, and nothing after them.
  boolean isAt(List<CellRecord> before) {
    return isWhole && cells == before.size();
  }

  /// Runs the cells again that are not in it yet, without calling anything.
  ///
  /// @return what happened now, which is the same
  /// @throws ReplayDivergence if one does something else
  List<CellRecord> repeat(List<CellRecord> before) {
    var now = new ArrayList<CellRecord>();
    while (cells < before.size()) {
      var record = before.get(cells);
      var ran = run(record.source(), record.calls(), null);
      var again = CellRecord.of(record.run(), record.source(), ran.calls(), ran.result());
      if (!again.equals(record)) {
        throw new ReplayDivergence(cells, 0, Differences.of(record, again));
      }
      now.add(again);
    }
    return now;
  }

  /// A cell that ran.
  record Ran(CellResult result, List<CallRecord> calls) {}

  /// Runs a cell.
  ///
  /// @param known what was recorded of it
  /// @param context makes further calls; null if there must be none
  /// @throws ReplayDivergence if it does not do what was recorded
  Ran run(String source, List<CallRecord> known, @Nullable AgentContext context) {
    isWhole = false;
    var own = new CellCalls(cells + 1, known, context, counts);
    calls = own;
    var result = session.executeHere(source);
    calls = null;
    var divergence = own.divergence();
    if (divergence != null) throw divergence;
    if (context == null && own.made().size() < known.size()) {
      throw new ReplayDivergence(
          cells + 1, own.made().size() + 1, "the record has a call that was not made");
    }
    cells++;
    var error = result.error();
    isWhole = error == null || !error.code().equals("E-ragsh-cancelled");
    return new Ran(result, own.made());
  }
}
