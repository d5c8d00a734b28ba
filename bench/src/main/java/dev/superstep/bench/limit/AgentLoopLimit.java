package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// W8: a loop that asks a model, reads the arguments of its call, runs the tool and shows it the
/// result. It checks no schema, has no limits and keeps nothing.
final class AgentLoopLimit implements Workload {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Map<String, Function<JsonNode, String>> TOOLS =
      Map.of("add", n -> Integer.toString(n.get("a").intValue() + n.get("b").intValue()));

  private record Said(String role, String text, String tool, String arguments) {}

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int calls = what.number(1);
    var last = new String[1];
    Span.Body run = () -> last[0] = run(calls);
    what.warmUp(out, "loop", calls, run);
    what.repeat(
        what.repetitions(),
        () -> {
          out.add("loop", "call", Span.of(run), calls);
          out.check("loop", "The last was " + (2 * calls - 1) + ".", last[0]);
        });
  }

  static String run(int calls) {
    var conversation = new ArrayList<Said>();
    conversation.add(new Said("system", "Add what you are given.", "", ""));
    conversation.add(new Said("user", "Go.", "", ""));
    while (true) {
      var said = model(List.copyOf(conversation), calls);
      conversation.add(said);
      if (said.tool().isEmpty()) return said.text();
      var result =
          Objects.requireNonNull(TOOLS.get(said.tool())).apply(JSON.readTree(said.arguments()));
      conversation.add(new Said("tool", result, "", ""));
    }
  }

  private static Said model(List<Said> conversation, int calls) {
    int done = (conversation.size() - 2) / 2;
    if (done < calls) {
      var arguments = "{\"a\":" + done + ",\"b\":" + (done + 1) + "}";
      return new Said("assistant", "", "add", arguments);
    }
    return new Said("assistant", "The last was " + conversation.getLast().text() + ".", "", "");
  }
}
