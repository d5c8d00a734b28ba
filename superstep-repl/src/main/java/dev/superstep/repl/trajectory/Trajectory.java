package dev.superstep.repl.trajectory;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.middleware.TextRedactor;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.agent.ReplAgentBuilder;
import dev.superstep.repl.host.TextSource;
import dev.superstep.repl.record.CellRecord;
import dev.superstep.repl.record.ReplayDivergence;
import dev.superstep.repl.record.SessionInput;
import dev.superstep.repl.record.TurnRecord;
import dev.superstep.state.State;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// All that happened in a session: the replies of its model, its cells, and each call in them. It
/// is written as a file with a line of JSON for each, and the texts in a folder beside it, each
/// under its SHA-256; it runs again without a model. Immutable.
///
/// ```java
/// Trajectory.of(state).write(folder);
/// Trajectory.read(folder).replay(settings, text);
/// ```
public final class Trajectory {
  /// The name of the file in its folder.
  public static final String FILE = "trajectory.jsonl";

  private final List<TurnRecord> turns;
  private final List<CellRecord> cells;
  private final Optional<SessionInput> input;

  Trajectory(List<TurnRecord> turns, List<CellRecord> cells, Optional<SessionInput> input) {
    this.input = input;
    this.turns = List.copyOf(turns);
    this.cells = List.copyOf(cells);
  }

  /// The last session in the state of an agent's graph.
  public static Trajectory of(State state) {
    var cells = state.find(ReplAgent.CELLS).orElse(List.of());
    var turns = state.find(ReplAgent.TURNS).orElse(List.of());
    if (cells.isEmpty() && turns.isEmpty())
      return new Trajectory(List.of(), List.of(), Optional.empty());
    // A run that answered without a cell is later than the last one that has some.
    var run = last(turns, cells);
    return new Trajectory(
        turns.stream().filter(turn -> turn.run().equals(run)).toList(),
        cells.stream().filter(cell -> cell.run().equals(run)).toList(),
        state.find(ReplAgent.INPUT).filter(input -> input.run().equals(run)));
  }

  private static String last(List<TurnRecord> turns, List<CellRecord> cells) {
    if (turns.isEmpty()) return cells.getLast().run();
    if (cells.isEmpty()) return turns.getLast().run();
    // Typed cells and scripts have no turns, whose cells come after those of a model.
    var ofTurns = turns.getLast().run();
    var ofCells = cells.getLast().run();
    boolean hasTurns = turns.stream().anyMatch(turn -> turn.run().equals(ofCells));
    return hasTurns ? ofTurns : ofCells;
  }

  /// The replies of the model, oldest first; none where a person typed the cells.
  public List<TurnRecord> turns() {
    return turns;
  }

  /// The cells, oldest first.
  public List<CellRecord> cells() {
    return cells;
  }

  /// The variables that the session began with; none where a person typed the cells.
  public Optional<SessionInput> input() {
    return input;
  }

  /// The run of the agent; empty if nothing happened.
  public String run() {
    if (!turns.isEmpty()) return turns.getFirst().run();
    return cells.isEmpty() ? "" : cells.getFirst().run();
  }

  /// The end of a session.
  enum Reason {
    /// A cell answered.
    ANSWERED("answered"),
    /// The model answered by a reply without a cell.
    MODEL_ANSWERED("model answered"),
    /// It goes on, or a limit, an error or a cancel ended it.
    UNFINISHED("unfinished");

    private final String label;

    Reason(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /// The answer of a cell, if one answered.
  Optional<Json> answer() {
    return cells.isEmpty() ? Optional.empty() : cells.getLast().answer();
  }

  Reason reason() {
    if (answer().isPresent()) return Reason.ANSWERED;
    if (turns.isEmpty()) return Reason.UNFINISHED;
    var last = turns.getLast();
    boolean isProse = !last.reply().contains("```") && turns.size() > cells.size();
    return last.route().equals("direct") || (isProse && wasNudged())
        ? Reason.MODEL_ANSWERED
        : Reason.UNFINISHED;
  }

  private boolean wasNudged() {
    return turns.size() > 1 && !turns.get(turns.size() - 2).reply().contains("```");
  }

  /// Returns a copy in which texts that must not leave are hidden. Where that changes what a cell
  /// was answered, the copy can be read and perhaps not run again.
  public Trajectory redacted(TextRedactor by) {
    return new Trajectory(
        redacted(turns, TurnRecord.class, by),
        redacted(cells, CellRecord.class, by),
        input.map(one -> redacted(List.of(one), SessionInput.class, by).getFirst()));
  }

  private static <T> List<T> redacted(List<T> records, Class<T> type, TextRedactor by) {
    return records.stream()
        .map(record -> by.json(Codec.of(type).encode(record)))
        .map(json -> json.as(type))
        .toList();
  }

  /// Runs the cells again with the recorded answers.
  ///
  /// @param settings those of the agent; no model is asked
  /// @param text the value of `context` then; where a person loaded it, from that step on
  /// @return what happened now, which is the same
  /// @throws ReplayDivergence at the first difference
  public Trajectory replay(ReplAgentBuilder settings, TextSource text) {
    return new Trajectory(turns, settings.repeat(cells, text, input), input);
  }

  /// Writes the file and its texts into a folder that only its owner can read.
  ///
  /// @throws IOException if a file cannot be written
  public void write(Path folder) throws IOException {
    new TrajectoryWriter(folder).write(this);
  }

  /// Writes the session as the lines that the viewer of the published RLM reads: a `metadata`, then
  /// an `iteration` for each reply or typed cell. Prompts of calls are not in a trajectory, so each
  /// is shown by its name and the digest of what it was given.
  ///
  /// @throws IOException if the file cannot be written
  public void writeForRlmViewer(Path file) throws IOException {
    RlmViewerLines.write(this, file);
  }

  /// Reads what was written, also by earlier versions.
  ///
  /// @throws ReplayDivergence if a text is not the one that was written, with its cell and call
  /// @throws InvalidTrajectory if the file is no trajectory
  /// @throws MalformedJson if a line or a text is no JSON of its kind
  /// @throws IOException if a file cannot be read
  public static Trajectory read(Path folder) throws IOException {
    return new TrajectoryReader(folder).read();
  }

  @Override
  public String toString() {
    return "Trajectory[%d turns, %d cells]".formatted(turns.size(), cells.size());
  }
}
