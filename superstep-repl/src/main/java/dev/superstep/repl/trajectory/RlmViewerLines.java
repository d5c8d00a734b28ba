package dev.superstep.repl.trajectory;

import dev.superstep.file.PrivateFiles;
import dev.superstep.json.Json;
import dev.superstep.repl.record.CallRecord;
import dev.superstep.repl.record.CellRecord;
import dev.superstep.repl.record.TurnRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The lines of the log of the published RLM: `visualizer/src/lib/types.ts` of alexzhang13/rlm.
final class RlmViewerLines {
  // Its viewer wants a time; a trajectory has none.
  private static final String NO_TIME = "1970-01-01T00:00:00";
  private static final String FENCE = "```";

  private final List<String> lines = new ArrayList<>();

  private RlmViewerLines() {}

  static void write(Trajectory trajectory, Path file) throws IOException {
    var all = new RlmViewerLines();
    all.add(trajectory);
    PrivateFiles.replace(file, String.join("\n", all.lines) + "\n");
  }

  private void add(Trajectory trajectory) {
    var turns = trajectory.turns();
    lines.add(object(metadata(turns.isEmpty() ? null : turns.getFirst().model())));
    var left = new ArrayList<>(trajectory.cells());
    while (!left.isEmpty() && turns.size() < left.size()) iteration(null, left.removeFirst());
    for (var turn : turns) {
      boolean hasCell = turn.reply().contains(FENCE) && !left.isEmpty();
      iteration(turn, hasCell ? left.removeFirst() : null);
    }
  }

  private static Map<String, String> metadata(@Nullable String model) {
    var all = new LinkedHashMap<String, String>();
    all.put("type", text("metadata"));
    all.put("timestamp", text(NO_TIME));
    all.put("root_model", model == null ? "null" : text(model));
    for (var unknown : List.of("max_depth", "max_iterations")) all.put(unknown, "null");
    all.put("backend", text("superstep"));
    all.put("backend_kwargs", "{}");
    all.put("environment_type", text("ragsh"));
    all.put("environment_kwargs", "{}");
    all.put("other_backends", "null");
    return all;
  }

  private void iteration(@Nullable TurnRecord turn, @Nullable CellRecord cell) {
    var all = new LinkedHashMap<String, String>();
    all.put("type", text("iteration"));
    all.put("iteration", String.valueOf(lines.size()));
    all.put("timestamp", text(NO_TIME));
    all.put("prompt", turn == null ? "[]" : "[" + prompt(turn.told()) + "]");
    all.put("response", text(turn == null ? "" : turn.reply()));
    all.put("code_blocks", cell == null ? "[]" : "[" + block(cell) + "]");
    all.put("final_answer", answer(turn, cell));
    all.put("iteration_time", turn == null ? "null" : seconds(millis(cell)));
    lines.add(object(all));
  }

  private static String answer(@Nullable TurnRecord turn, @Nullable CellRecord cell) {
    if (cell != null && cell.answer().isPresent()) {
      var json = cell.answer().get().text();
      return json.startsWith("\"") ? json : text(json);
    }
    if (turn == null || !turn.route().equals("direct")) return "null";
    return text(turn.reply());
  }

  private static String prompt(String told) {
    return "{\"role\":\"user\",\"content\":" + text(told) + "}";
  }

  private static String block(CellRecord cell) {
    var result = new LinkedHashMap<String, String>();
    result.put("stdout", text(cell.output()));
    result.put("stderr", text(cell.code()));
    var variables = new LinkedHashMap<String, String>();
    for (var one : cell.changed()) {
      variables.put(one.name(), text("%s of size %d".formatted(one.type(), one.size())));
    }
    result.put("locals", object(variables));
    result.put("execution_time", seconds(millis(cell)));
    var calls = new ArrayList<String>();
    for (var call : cell.calls()) if (call.kind().equals("model")) calls.addAll(completions(call));
    result.put("rlm_calls", "[" + String.join(",", calls) + "]");
    var block = new LinkedHashMap<String, String>();
    block.put("code", text(cell.source()));
    block.put("result", object(result));
    return object(block);
  }

  private static List<String> completions(CallRecord call) {
    var all = new ArrayList<String>();
    for (var answer : call.answers()) {
      var one = new LinkedHashMap<String, String>();
      var cost = answer.cost();
      one.put("prompt", text(call.name() + ", given sha256 " + answer.digest()));
      one.put("response", text(answer.code().isEmpty() ? answer.value().text() : answer.message()));
      one.put("prompt_tokens", String.valueOf(cost == null ? 0 : cost.usage().input()));
      one.put("completion_tokens", String.valueOf(cost == null ? 0 : cost.usage().output()));
      one.put("execution_time", seconds(cost == null ? 0 : cost.millis()));
      all.add(object(one));
    }
    return all;
  }

  private static long millis(@Nullable CellRecord cell) {
    if (cell == null) return 0;
    long sum = 0;
    for (var call : cell.calls()) {
      long slowest = 0;
      for (var answer : call.answers()) {
        if (answer.cost() != null) slowest = Math.max(slowest, answer.cost().millis());
      }
      sum += slowest;
    }
    return sum;
  }

  private static String seconds(long millis) {
    return String.valueOf(millis / 1_000.0);
  }

  private static String text(String value) {
    return Json.string(value).text();
  }

  private static String object(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> text(field.getKey()) + ":" + field.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }
}
