package dev.superstep.repl.agent;

import dev.superstep.agent.Agent;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.ContextKey;
import dev.superstep.repl.CellResult;
import dev.superstep.repl.ReplSession;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.Signature;
import dev.superstep.repl.host.TextSource;
import dev.superstep.repl.internal.call.SessionAccess;
import dev.superstep.repl.record.CallRecord;
import dev.superstep.repl.record.CellRecord;
import dev.superstep.repl.record.ReplayDivergence;
import dev.superstep.state.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A session whose cells a person types. Each cell is a run of an agent on one thread, and no model
/// is asked for it: so what a cell called is kept, its questions suspend the run, and a session
/// that was killed goes on in another process. Variables stay from run to run, and `answer` ends
/// nothing.
///
/// ```java
/// var session = TypedSession.of(ReplAgent.named("desk").model(small).grants(grants), texts);
/// var options = session.on(RunOptions.thread("monday").checkpoints(store));
/// session.agent().run("hits = context.grep('pay')", options);
/// ```
///
/// One thread at a time.
public final class TypedSession {
  static final ContextKey<TypedSession> KEY = ContextKey.of("repl-typed", TypedSession.class);
  static final ContextKey<TextOpener.Loaded> TEXT =
      ContextKey.of("repl-typed-text", TextOpener.Loaded.class);

  /// In the place of an agent's run: the cells of all runs are one session.
  static final String RUN = "typed";

  private final Agent<String> agent;
  private final SessionAccess access;
  private final TextOpener texts;
  private final LiveSessions live = new LiveSessions();
  private volatile LiveSession session;
  private volatile @Nullable Ran last;

  private TypedSession(ReplAgentBuilder settings, TextOpener texts) {
    this.agent = settings.build();
    this.access = settings.access();
    this.texts = texts;
    this.session = made();
  }

  /// A session without cells.
  ///
  /// @param settings of an agent; its model is asked by sessions inside of this one alone
  /// @param texts opens the texts that became its `context`, when the cells are run again
  public static TypedSession of(ReplAgentBuilder settings, TextOpener texts) {
    return new TypedSession(settings, texts);
  }

  /// A cell that ran.
  ///
  /// @param number of the cell, from 1; texts that were loaded do not count
  /// @param calls that it made, or was answered again
  /// @param answer what it answered, as text; `null` if it did not
  public record Ran(
      int number,
      String source,
      CellResult result,
      List<CallRecord> calls,
      @Nullable String answer) {}

  /// The agent whose runs are the cells: what it is asked is the text of a cell.
  public Agent<String> agent() {
    return agent;
  }

  /// The options of a run, or of a resumption.
  public RunOptions on(RunOptions options) {
    return options.with(KEY, this);
  }

  /// The options of a run that makes a text the `context` of the cells after it. The run is asked
  /// for something that is not empty, such as the name of the text.
  public RunOptions loading(RunOptions options, TextOpener.Loaded text) {
    return on(options).with(TEXT, text);
  }

  /// Makes the session again from the cells of a thread, without calling anything.
  ///
  /// @throws ReplayDivergence if a cell does something else than it did
  public void open(State state) {
    var before =
        state.find(ReplAgent.CELLS).orElse(List.of()).stream()
            .filter(cell -> cell.run().equals(RUN))
            .toList();
    session = session(before);
  }

  LiveSession session(List<CellRecord> before) {
    last = null;
    session = live.session(RUN, before, this::made);
    return session;
  }

  private LiveSession made() {
    return new LiveSession(access, TextSource.of(""), texts, Map.of());
  }

  void ran(Ran cell) {
    last = cell;
  }

  /// The cell that ran last in this process, with what came of it; empty if it did not get to an
  /// end. Asked twice, it is empty.
  public Optional<Ran> takeLast() {
    var ran = last;
    last = null;
    return Optional.ofNullable(ran);
  }

  /// The variables, without their values.
  public List<CellResult.Variable> variables() {
    return inside().variables();
  }

  /// All names that a cell can use.
  public Set<String> names() {
    return inside().names();
  }

  /// The names that can stand behind the dot of a variable or a module.
  public Set<String> members(String name) {
    return inside().members(name);
  }

  private ReplSession inside() {
    return session.builtIn();
  }

  /// The functions that call what is granted.
  public List<Signature> functions() {
    return access.functions(session).stream().map(HostFunction::signature).toList();
  }

  /// The calls that are left, by name.
  public Map<String, Long> left() {
    return session.counts().all();
  }

  @Override
  public String toString() {
    return "TypedSession[" + agent.name() + "]";
  }
}
