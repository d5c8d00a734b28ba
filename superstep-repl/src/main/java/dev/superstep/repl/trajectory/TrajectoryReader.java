package dev.superstep.repl.trajectory;

import dev.superstep.json.Json;
import dev.superstep.repl.record.CallRecord;
import dev.superstep.repl.record.CellRecord;
import dev.superstep.repl.record.SessionInput;
import dev.superstep.repl.record.TurnRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads one trajectory, which nobody has to be trusted with: each text must be the one that its
/// digest names.
final class TrajectoryReader {
  private final Path folder;
  private final Blobs blobs;
  private final List<TurnRecord> turns = new ArrayList<>();
  private final List<CellRecord> cells = new ArrayList<>();
  private final List<CallRecord> calls = new ArrayList<>();
  private Optional<SessionInput> input = Optional.empty();
  private String run = "";
  private String route = "session";
  private String source = "";
  private String output = "";
  private long printed;
  private List<CellRecord.Changed> changed = List.of();

  TrajectoryReader(Path folder) {
    this.folder = folder;
    this.blobs = Blobs.in(folder);
  }

  Trajectory read() throws IOException {
    int seq = 0;
    for (var text : Files.readAllLines(folder.resolve(Trajectory.FILE))) {
      var line = Json.parse(text).as(Line.class);
      if (line.seq() != ++seq) throw new InvalidTrajectory("line " + seq + " is missing");
      if (line.v() < 1 || line.v() > Line.VERSION) {
        throw new InvalidTrajectory("its version is " + line.v());
      }
      read(line);
    }
    return new Trajectory(turns, cells, input);
  }

  private void read(Line line) throws IOException {
    switch (line.kind()) {
      case "session" -> {
        run = line.run() == null ? line.name() : line.run();
        if (!line.blobs().isEmpty()) {
          input = Optional.of(new SessionInput(run, blobs.read(line, 0)));
        }
      }
      case "route" -> route = line.name();
      case "model_turn" -> turns.add(turn(line));
      case "cell" -> begin(line);
      case "call" -> calls.add(call(line));
      case "stdout" -> {
        output = blobs.read(line, 0).as(String.class);
        printed = data(line, Line.Lengths.class).printed();
      }
      case "vars" -> changed = data(line, Line.Variables.class).changed();
      case "cell_end" ->
          end(
              line.code(),
              line.blobs().isEmpty() ? Optional.empty() : Optional.of(blobs.read(line, 0)));
      case "end" -> {
        if (line.v() == 1) endOfFirstVersion(line);
      }
      case "budget", "final" -> {
        // Told by the cells as well.
      }
      default -> throw new InvalidTrajectory("no line is a `" + line.kind() + "`");
    }
  }

  private static <T> T data(Line line, Class<T> type) {
    return line.data()
        .orElseThrow(() -> new InvalidTrajectory("`" + line.kind() + "` needs `data`"))
        .as(type);
  }

  private void begin(Line line) throws IOException {
    source = blobs.read(line, 0).as(String.class);
    calls.clear();
    output = "";
    printed = 0;
    changed = List.of();
  }

  private void end(String code, Optional<Json> answer) {
    cells.add(new CellRecord(run, source, calls, output, printed, code, changed, answer));
  }

  private void endOfFirstVersion(Line line) throws IOException {
    var end = blobs.read(line, 0).as(Line.EndOfFirstVersion.class);
    output = end.output();
    printed = end.printed();
    changed = end.changed();
    end(line.code(), Optional.empty());
  }

  private TurnRecord turn(Line line) throws IOException {
    var texts = blobs.read(line, 0).as(Line.Turn.class);
    var took = data(line, Line.Took.class);
    var parent = line.parentRun() == null ? "" : line.parentRun();
    return new TurnRecord(
        run, parent, texts.told(), texts.reply(), route, line.name(), took.usage());
  }

  private CallRecord call(Line line) throws IOException {
    var answers = new ArrayList<CallRecord.Answer>();
    for (int i = 0; i < line.blobs().size(); i++) {
      answers.add(blobs.read(line, i).as(CallRecord.Answer.class));
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
}
