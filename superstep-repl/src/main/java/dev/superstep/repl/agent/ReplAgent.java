package dev.superstep.repl.agent;

import dev.superstep.json.Json;
import dev.superstep.node.ContextKey;
import dev.superstep.repl.host.TextSource;
import dev.superstep.repl.internal.call.CallSession;
import dev.superstep.repl.record.CellRecord;
import dev.superstep.repl.record.SessionInput;
import dev.superstep.repl.record.TurnRecord;
import dev.superstep.state.Channel;
import java.util.List;

/// Agents whose model works by programs: it writes cells of `.ragsh`, which keep a long text and
/// all results in variables and call models, tools, agents and graphs as functions.
///
/// ```java
/// var reader = ReplAgent.named("reader").model(driver)
///     .grants(Grants.none().model("small", small).tools(SEARCH))
///     .build();
/// try (var papers = FileText.open(file)) {
///   var options = RunOptions.defaults().with(ReplAgent.CONTEXT, papers);
///   String answer = reader.run("Which of them disagree?", options).answer();
/// }
/// ```
///
/// What is built is an [dev.superstep.agent.Agent] like any other: on a stored thread, no model is
/// asked again and no finished call repeated, also after the process died in the midst of a cell.
public final class ReplAgent {
  /// The text of a run, which its cells have as `context`. It must be the same when the run is
  /// resumed.
  public static final ContextKey<TextSource> CONTEXT = CallSession.CONTEXT;

  /// In place of a text for what runs inside, which is not given that of the run around.
  static final TextSource NO_TEXT = CallSession.NO_TEXT;

  /// The cells that ran, in the state of the agent's graph.
  public static final Channel<List<CellRecord>, CellRecord> CELLS =
      Channel.append("ragsh-cells", CellRecord.class);

  /// Values that the cells of a run have as `state`; it must be the same when the run is resumed.
  public static final ContextKey<Json> STATE = ContextKey.of("repl-state", Json.class);

  /// The variables that a session began with, in the state of the agent's graph.
  public static final Channel<SessionInput, SessionInput> INPUT =
      Channel.latest("ragsh-input", SessionInput.class);

  /// The replies of the model that writes cells, in the state of the agent's graph.
  public static final Channel<List<TurnRecord>, TurnRecord> TURNS =
      Channel.append("ragsh-turns", TurnRecord.class);

  /// The name of the event that tells how a question is answered: [Route].
  public static final String ROUTE = "repl.route";

  private ReplAgent() {}

  /// The way in which a question is answered.
  ///
  /// @param name `direct` if the model reads the text itself
  public record Route(String name) {}

  /// Begins an agent; a model is required, all else has defaults.
  public static ReplAgentBuilder named(String name) {
    return new ReplAgentBuilder(name);
  }
}
