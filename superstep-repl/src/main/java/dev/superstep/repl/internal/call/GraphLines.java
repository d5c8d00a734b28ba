package dev.superstep.repl.internal.call;

import dev.superstep.checkpoint.Memory;
import dev.superstep.graph.InsideRun;
import dev.superstep.json.Json;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.internal.json.HostJson;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The threads of graphs that the cells of a session have named. They are lines inside of the run's
/// own thread: a cell can name no thread of others. Made again from the records of the calls. Owned
/// by the thread of the cell.
public final class GraphLines {
  public static final String INTERRUPTED = "interrupted";

  private static final String BEGUN = "begun";
  private static final String VALUE = "value";
  private static final String LEFT = "left";
  private static final String ID = "id";
  private static final String QUESTION = "question";

  private final Map<String, State> byThread = new HashMap<>();

  /// The state of a thread.
  ///
  /// @param line the run that waits, or the next one
  /// @param open the names of the questions that wait for a cell, by id
  /// @param answers all that cells have given to the run that waits
  private record State(
      String graph, InsideRun.Line line, Map<String, String> open, Map<String, Json> answers) {}

  /// A run that is about to be made on a thread.
  ///
  /// @param answers all that cells have given to it
  public record Next(String thread, String graph, InsideRun.Line line, Map<String, Json> answers) {}

  /// The next run of a graph on a thread.
  ///
  /// @param answers to questions of the run that waits, by id
  public Next next(String function, String thread, String graph, Map<String, HostValue> answers)
      throws HostFailure {
    var state = byThread.get(thread);
    if (state == null) {
      if (answers.isEmpty()) return new Next(thread, graph, InsideRun.Line.first(), Map.of());
      throw CallArguments.wrong(function, "has no thread `" + thread + "` that waits");
    }
    if (!state.graph().equals(graph)) {
      throw CallArguments.wrong(
          function, "has thread `%s` for graph `%s`".formatted(thread, state.graph()));
    }
    if (answers.isEmpty() && !state.open().isEmpty()) {
      throw HostFailure.catchable(
          "thread-waits",
          "thread `%s` waits for answers to %s"
              .formatted(thread, String.join(", ", state.open().keySet())));
    }
    var all = new HashMap<>(state.answers());
    for (var answer : answers.entrySet()) {
      if (!state.open().containsKey(answer.getKey())) {
        throw CallArguments.wrong(
            function, "has no open question `%s` on this thread".formatted(answer.getKey()));
      }
      all.put(answer.getKey(), HostJson.of(answer.getValue()));
    }
    return new Next(thread, graph, state.line(), all);
  }

  /// The name of an open question of a thread.
  public String question(String thread, String id) {
    var state = byThread.get(thread);
    return state == null ? "" : state.open().getOrDefault(id, "");
  }

  /// The record of the end of a run.
  public static HostValue record(InsideRun.End end, @Nullable HostValue value) {
    var all = new LinkedHashMap<String, HostValue>();
    all.put(BEGUN, HostValue.of(end.begun()));
    if (end.left().isPresent()) {
      var left = end.left().get();
      all.put(LEFT, HostValue.texts(List.of(left.namespace(), left.checkpoint())));
    }
    if (value != null) all.put(VALUE, value);
    else all.put(INTERRUPTED, asked(end));
    return new HostValue.Entries(all);
  }

  /// The questions that a cell may answer.
  public static HostValue asked(InsideRun.End end) {
    return new HostValue.Items(
        end.asked().stream()
            .<HostValue>map(question -> {
              var told = new LinkedHashMap<String, HostValue>();
              told.put(ID, HostValue.of(question.id()));
              told.put(QUESTION, HostValue.of(question.question()));
              told.put("payload", HostJson.read(question.payload()));
              return new HostValue.Entries(told);
            })
            .toList());
  }

  /// Notes the end of a run as its record says.
  ///
  /// @return the value for the cell
  public HostValue ended(Next run, HostValue recorded) {
    var fields = ((HostValue.Entries) recorded).values();
    if (!fields.containsKey(INTERRUPTED)) {
      var line = new InsideRun.Line("", left(fields));
      byThread.put(run.thread(), new State(run.graph(), line, Map.of(), Map.of()));
      return fields.getOrDefault(VALUE, HostValue.NOTHING);
    }
    var asked = (HostValue.Items) fields.getOrDefault(INTERRUPTED, HostValue.NOTHING);
    var open = new LinkedHashMap<String, String>();
    for (var item : asked.values()) {
      var one = ((HostValue.Entries) item).values();
      open.put(text(one, ID), text(one, QUESTION));
    }
    var line = new InsideRun.Line(text(fields, BEGUN), run.line().from());
    byThread.put(run.thread(), new State(run.graph(), line, open, run.answers()));
    var told = new LinkedHashMap<String, HostValue>();
    told.put(INTERRUPTED, asked);
    told.put("thread", HostValue.of(run.thread()));
    return new HostValue.Entries(told);
  }

  private static Optional<Memory> left(Map<String, HostValue> fields) {
    if (!(fields.get(LEFT) instanceof HostValue.Items(var parts))) return Optional.empty();
    return Optional.of(new Memory(text(parts.get(0)), text(parts.get(1))));
  }

  private static String text(Map<String, HostValue> fields, String name) {
    return text(fields.getOrDefault(name, HostValue.NOTHING));
  }

  private static String text(HostValue value) {
    return value instanceof HostValue.Words(var text) ? text : "";
  }
}
