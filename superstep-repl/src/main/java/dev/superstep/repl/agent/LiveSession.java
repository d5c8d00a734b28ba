package dev.superstep.repl.agent;

import dev.superstep.middleware.AgentContext;
import dev.superstep.repl.CellError;
import dev.superstep.repl.CellResult;
import dev.superstep.repl.CellSession;
import dev.superstep.repl.ReplSession;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.host.TextSource;
import dev.superstep.repl.internal.call.CallCounts;
import dev.superstep.repl.internal.call.CallSession;
import dev.superstep.repl.internal.call.CellCalls;
import dev.superstep.repl.internal.call.GraphLines;
import dev.superstep.repl.internal.call.SessionAccess;
import dev.superstep.repl.record.CallRecord;
import dev.superstep.repl.record.CellRecord;
import dev.superstep.repl.record.ReplayDivergence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The session of a run of an agent, as it is in memory. It can be made again at any time from the
/// records of its cells. One thread at a time; any may close it.
final class LiveSession implements CallSession, AutoCloseable {
  private final CallCounts counts;
  private final GraphLines lines = new GraphLines();
  private final TextOpener texts;
  private final SessionAccess access;
  private final Map<String, HostValue> given;
  private ReadText text;
  private volatile @Nullable CellSession session;
  private volatile boolean isClosed;
  private int cells;
  private boolean isWhole = true;
  private boolean isChecking = true;
  private @Nullable CellCalls calls;

  /// @param text the value of `context`
  LiveSession(SessionAccess access, TextSource text) {
    this(access, text, (_, _) -> text, Map.of());
  }

  /// @param text the value of `context` at first
  /// @param texts opens what became its value later
  /// @param given further variables, which no cell may bind
  LiveSession(
      SessionAccess access, TextSource text, TextOpener texts, Map<String, HostValue> given) {
    this.given = given;
    this.texts = texts;
    this.access = access;
    this.counts = new CallCounts(access.limits());
    this.text = new ReadText(text);
  }

  /// The session of the interpreter, which may be a process: opened for the first cell.
  private CellSession opened() {
    var known = session;
    if (known != null) return known;
    var host =
        Capabilities.none()
            .with("context", new HostValue.Document(this.text))
            .withBudget(counts::all);
    for (var one : given.entrySet()) host = host.with(one.getKey(), one.getValue());
    for (var function : access.functions(this)) host = host.with(function);
    known = access.backend().open(access.policy(), host);
    session = known;
    // Closed meanwhile: nobody would do it again.
    if (isClosed) known.close();
    return known;
  }

  @Override
  public void close() {
    isClosed = true;
    var open = session;
    if (open != null) open.close();
  }

  /// Returns whether a cell has read any of its text.
  boolean hasRead() {
    return text.wasRead();
  }

  @Override
  public CallCounts counts() {
    return counts;
  }

  @Override
  public boolean isChecking() {
    return isChecking;
  }

  @Override
  public GraphLines lines() {
    return lines;
  }

  @Override
  public CellCalls calls() {
    var now = calls;
    if (now == null) throw new IllegalStateException("no cell runs");
    return now;
  }

  /// The session of the built-in interpreter, which typed cells run in.
  ReplSession builtIn() {
    if (opened() instanceof ReplSession own) return own;
    throw new IllegalStateException("typed cells run in the built-in interpreter");
  }

  /// Gives the cells that follow another text, which counts as a cell.
  CellRecord load(String run, TextOpener.Loaded loaded) {
    text = new ReadText(loaded.text());
    builtIn().give("context", new HostValue.Document(text));
    cells++;
    return CellRecord.ofText(run, loaded.name(), loaded.digest());
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
      var loaded = record.text();
      if (loaded.isPresent()) {
        now.add(loadedAgain(record.run(), loaded.get()));
        continue;
      }
      if (CellError.isLoss(record.code())) {
        now.add(lost(record));
        continue;
      }
      // Versions that did not look at literals ran such a cell up to the call.
      isChecking = record.didNothing();
      var ran = run(record.source(), record.calls(), null);
      isChecking = true;
      var again =
          CellRecord.of(record.run(), record.source(), ran.calls(), ran.result()).asFarAs(record);
      if (!again.equals(record)) {
        throw new ReplayDivergence(cells, 0, Differences.of(record, again));
      }
      now.add(again);
    }
    return now;
  }

  private CellRecord loadedAgain(String run, CallRecord call) {
    var found = texts.open(call.name(), call.digest());
    return load(run, new TextOpener.Loaded(call.name(), call.digest(), found));
  }

  /// Counts the calls of a cell that is not run again, since nothing is left of it.
  private CellRecord lost(CellRecord record) {
    for (var call : record.calls()) counts.known(call);
    cells++;
    return record;
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
    var result = opened().executeHere(source);
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
