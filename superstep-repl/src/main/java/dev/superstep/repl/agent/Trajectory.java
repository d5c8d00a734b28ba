package dev.superstep.repl.agent;

import dev.superstep.file.PrivateFiles;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.middleware.TextRedactor;
import dev.superstep.repl.host.TextSource;
import dev.superstep.state.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/// The cells of a run as a file: a line of JSON for each thing that happened, and the texts in a
/// folder beside it, each under its SHA-256. It can be run again without a model. Immutable.
///
/// ```java
/// Trajectory.of(state).write(folder);
/// Trajectory.read(folder).replay(settings, text);
/// ```
public final class Trajectory {
  /// The name of the file in its folder.
  public static final String FILE = "trajectory.jsonl";

  private static final String BLOBS = "blobs";
  private static final int VERSION = 1;

  private final List<CellRecord> cells;

  private Trajectory(List<CellRecord> cells) {
    this.cells = List.copyOf(cells);
  }

  /// The cells of the last run in the state of an agent's graph.
  public static Trajectory of(State state) {
    var all = state.find(ReplAgent.CELLS).orElse(List.of());
    if (all.isEmpty()) return new Trajectory(List.of());
    var run = all.getLast().run();
    return new Trajectory(all.stream().filter(cell -> cell.run().equals(run)).toList());
  }

  /// The cells, oldest first.
  public List<CellRecord> cells() {
    return cells;
  }

  /// Returns a copy in which texts that must not leave are hidden. Where that changes what a cell
  /// was answered, the copy can be read and perhaps not run again.
  public Trajectory redacted(TextRedactor by) {
    return new Trajectory(
        cells.stream()
            .map(cell -> Codec.of(CellRecord.class).encode(cell))
            .map(json -> by.json(json).as(CellRecord.class))
            .toList());
  }

  /// Runs the cells again with the recorded answers.
  ///
  /// @param settings those of the agent; no model is asked
  /// @param text the value of `context` then; where a person loaded it, from that step on
  /// @return what happened now, which is the same
  /// @throws ReplayDivergence at the first difference
  public Trajectory replay(ReplAgentBuilder settings, TextSource text) {
    boolean loads = cells.stream().anyMatch(cell -> cell.text().isPresent());
    var first = loads ? TextSource.of("") : text;
    try (var session = new LiveSession(settings.access(), first, (_, _) -> text)) {
      return new Trajectory(session.repeat(cells));
    }
  }

  // --- the file ---

  /// A line of the file.
  ///
  /// @param kind `session`, `cell`, `call` or `end`
  /// @param cell the number of the cell, from 1; 0 for the session
  /// @param call the number of the call in it, from 1; 0 for what is no call
  /// @param name of what was called, or the run of the agent
  /// @param code of the error, if there was one
  /// @param digest of the arguments of a call
  /// @param isBatch whether a call had several answers
  /// @param blobs what belongs to it: the source of a cell, the answers of a call, the output and
  ///   the variables of its end
  record Line(
      int v,
      int seq,
      String kind,
      int cell,
      int call,
      String name,
      String code,
      String digest,
      boolean isBatch,
      List<String> blobs) {
    Line {
      blobs = List.copyOf(blobs);
    }
  }

  /// The end of a cell.
  record End(String output, long printed, List<CellRecord.Changed> changed) {
    End {
      changed = List.copyOf(changed);
    }
  }

  /// Writes the file and its texts into a folder that only its owner can read.
  ///
  /// @throws IOException if a file cannot be written
  public void write(Path folder) throws IOException {
    PrivateFiles.createDirectories(folder.resolve(BLOBS));
    var lines = new ArrayList<Line>();
    var run = cells.isEmpty() ? "" : cells.getFirst().run();
    add(lines, new Place("session", 0, 0), new Named(run, "", "", false), List.of());
    int number = 0;
    for (var cell : cells) {
      number++;
      var source = blob(folder, Json.string(cell.source()));
      add(lines, new Place("cell", number, 0), new Named("", "", "", false), List.of(source));
      int call = 0;
      for (var made : cell.calls()) {
        call++;
        var answers = new ArrayList<String>();
        for (var answer : made.answers()) answers.add(blob(folder, Json.of(answer)));
        var name = new Named(made.kind() + " " + made.name(), "", made.digest(), made.isBatch());
        add(lines, new Place("call", number, call), name, answers);
      }
      var end = blob(folder, Json.of(new End(cell.output(), cell.printed(), cell.changed())));
      add(lines, new Place("end", number, 0), new Named("", cell.code(), "", false), List.of(end));
    }
    var text =
        lines.stream().map(line -> Json.of(line).text() + "\n").collect(Collectors.joining());
    PrivateFiles.replace(folder.resolve(FILE), text);
  }

  private record Place(String kind, int cell, int call) {}

  private record Named(String name, String code, String digest, boolean isBatch) {}

  private static void add(List<Line> lines, Place at, Named of, List<String> blobs) {
    lines.add(
        new Line(
            VERSION,
            lines.size() + 1,
            at.kind(),
            at.cell(),
            at.call(),
            of.name(),
            of.code(),
            of.digest(),
            of.isBatch(),
            blobs));
  }

  private static String blob(Path folder, Json json) throws IOException {
    var name = sha256(json.text());
    var file = folder.resolve(BLOBS).resolve(name);
    if (!Files.exists(file)) PrivateFiles.replace(file, json.text());
    return name;
  }

  private static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  /// Reads what was written.
  ///
  /// @throws ReplayDivergence if a text is not the one that was written, with its cell and call
  /// @throws InvalidTrajectory if the file is no trajectory
  /// @throws MalformedJson if a line or a text is no JSON of its kind
  /// @throws IOException if a file cannot be read
  public static Trajectory read(Path folder) throws IOException {
    var cells = new ArrayList<CellRecord>();
    var calls = new ArrayList<CallRecord>();
    var run = "";
    var source = "";
    for (var text : Files.readAllLines(folder.resolve(FILE))) {
      var line = Json.parse(text).as(Line.class);
      switch (line.kind()) {
        case "session" -> run = line.name();
        case "cell" -> {
          source = read(folder, line, 0).as(String.class);
          calls.clear();
        }
        case "call" -> calls.add(call(folder, line));
        case "end" -> {
          var end = read(folder, line, 0).as(End.class);
          cells.add(
              new CellRecord(
                  run, source, calls, end.output(), end.printed(), line.code(), end.changed()));
        }
        default -> throw new InvalidTrajectory("no line is a `" + line.kind() + "`");
      }
    }
    return new Trajectory(cells);
  }

  private static CallRecord call(Path folder, Line line) throws IOException {
    var answers = new ArrayList<CallRecord.Answer>();
    for (int i = 0; i < line.blobs().size(); i++) {
      answers.add(read(folder, line, i).as(CallRecord.Answer.class));
    }
    int space = line.name().indexOf(' ');
    if (space < 0) throw new InvalidTrajectory("a call has a kind and a name");
    return new CallRecord(
        line.name().substring(0, space),
        line.name().substring(space + 1),
        line.digest(),
        line.isBatch(),
        answers);
  }

  private static Json read(Path folder, Line line, int number) throws IOException {
    if (number >= line.blobs().size()) throw new InvalidTrajectory("a text is missing");
    var name = line.blobs().get(number);
    if (!name.matches("[0-9a-f]{64}")) throw new InvalidTrajectory("`blobs` holds digests alone");
    var bytes = Files.readAllBytes(folder.resolve(BLOBS).resolve(name));
    var text = new String(bytes, StandardCharsets.UTF_8);
    if (!sha256(text).equals(name)) {
      throw new ReplayDivergence(
          line.cell(), line.call(), "its text was changed after it was recorded");
    }
    return Json.parse(text);
  }
}
