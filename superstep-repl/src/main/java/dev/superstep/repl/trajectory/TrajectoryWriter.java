package dev.superstep.repl.trajectory;

import dev.superstep.file.PrivateFiles;
import dev.superstep.json.Json;
import dev.superstep.model.Usage;
import dev.superstep.repl.record.CallRecord;
import dev.superstep.repl.record.CellRecord;
import dev.superstep.repl.record.TurnRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Writes one trajectory. The order of its lines is that of what happened: a reply, then the cell
/// that it has.
final class TrajectoryWriter {
  private static final String FENCE = "```";

  private final Path folder;
  private final Blobs blobs;
  private final List<Line> lines = new ArrayList<>();
  private final Map<String, Integer> calls = new TreeMap<>();
  private String run = "";
  private String parent = "";
  private int cell;

  TrajectoryWriter(Path folder) {
    this.folder = folder;
    this.blobs = Blobs.in(folder);
  }

  /// The parts that differ from line to line.
  private record Part(
      String kind, int call, String name, String code, String digest, boolean isBatch) {
    static Part of(String kind) {
      return named(kind, "");
    }

    static Part named(String kind, String name) {
      return new Part(kind, 0, name, "", "", false);
    }
  }

  void write(Trajectory all) throws IOException {
    PrivateFiles.createDirectories(blobs.folder());
    run = all.run();
    parent = all.turns().isEmpty() ? "" : all.turns().getFirst().parent();
    var given = new ArrayList<String>();
    if (all.input().isPresent()) given.add(blobs.keep(all.input().get().values()));
    add(Part.of("session"), given, null);
    if (!all.turns().isEmpty()) {
      add(Part.named("route", all.turns().getFirst().route()), List.of(), null);
    }
    var left = new ArrayList<>(all.cells());
    int turn = 0;
    // A script that ran before the model was asked.
    while (!left.isEmpty() && all.turns().size() < left.size()) cell(left.removeFirst());
    for (var reply : all.turns()) {
      turn(++turn, reply);
      if (reply.reply().contains(FENCE) && !left.isEmpty()) cell(left.removeFirst());
    }
    while (!left.isEmpty()) cell(left.removeFirst());
    cell = 0;
    if (all.answer().isPresent()) {
      add(Part.of("final"), List.of(blobs.keep(all.answer().get())), null);
    }
    add(Part.named("end", all.reason().label()), List.of(), null);
    var text =
        lines.stream().map(line -> Json.of(line).text() + "\n").collect(Collectors.joining());
    PrivateFiles.replace(folder.resolve(Trajectory.FILE), text);
  }

  private void add(Part part, List<String> texts, @Nullable Object data) {
    lines.add(
        new Line(
            Line.VERSION,
            lines.size() + 1,
            run,
            parent,
            part.kind(),
            cell,
            part.call(),
            part.name(),
            part.code(),
            part.digest(),
            part.isBatch(),
            texts,
            Optional.ofNullable(data).map(Json::of)));
  }

  private void turn(int number, TurnRecord turn) throws IOException {
    int before = cell;
    cell = 0;
    var text = blobs.keep(Json.of(new Line.Turn(turn.told(), turn.reply())));
    add(
        new Part("model_turn", number, turn.model(), "", "", false),
        List.of(text),
        new Line.Took(turn.usage(), 0, 1));
    cell = before;
  }

  private void cell(CellRecord record) throws IOException {
    cell++;
    var source = blobs.keep(Json.string(record.source()));
    add(new Part("cell", 0, "", "", Blobs.sha256(record.source()), false), List.of(source), null);
    int number = 0;
    for (var made : record.calls()) call(++number, made);
    add(
        Part.of("stdout"),
        List.of(blobs.keep(Json.string(record.output()))),
        new Line.Lengths(
            record.output().codePointCount(0, record.output().length()), record.printed()));
    add(Part.of("vars"), List.of(), new Line.Variables(record.changed()));
    add(Part.of("budget"), List.of(), new Line.Calls(calls));
    var answer = new ArrayList<String>();
    if (record.answer().isPresent()) answer.add(blobs.keep(record.answer().get()));
    add(new Part("cell_end", 0, "", record.code(), "", false), answer, null);
  }

  private void call(int number, CallRecord made) throws IOException {
    var answers = new ArrayList<String>();
    var usage = Usage.NONE;
    long millis = 0;
    for (var answer : made.answers()) {
      answers.add(blobs.keep(Json.of(answer)));
      if (answer.cost() == null) continue;
      usage = usage.plus(answer.cost().usage());
      millis = Math.max(millis, answer.cost().millis());
    }
    calls.merge(made.kind(), Math.max(1, answers.size()), Integer::sum);
    var name = made.kind() + " " + made.name();
    var code = made.answers().stream().map(CallRecord.Answer::code).filter(c -> !c.isEmpty());
    add(
        new Part("call", number, name, code.findFirst().orElse(""), made.digest(), made.isBatch()),
        answers,
        new Line.Took(usage, millis, answers.size()));
  }
}
