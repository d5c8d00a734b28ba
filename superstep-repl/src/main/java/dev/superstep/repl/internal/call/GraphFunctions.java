package dev.superstep.repl.internal.call;

import dev.superstep.budget.Budget;
import dev.superstep.error.NodeFailed;
import dev.superstep.graph.InsideRun;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.json.SuperstepException;
import dev.superstep.middleware.AgentContext;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.internal.json.HostJson;
import dev.superstep.run.Input;
import dev.superstep.tool.ToolGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// The functions that run graphs. A graph is a part of the agent's run: it goes on after a crash,
/// and what only a person may answer is asked by the run. Other questions are a value for the cell.
final class GraphFunctions {
  private static final int NAME_MAX = 100;

  private final SessionAccess access;
  private final CallSession session;

  GraphFunctions(SessionAccess access, CallSession session) {
    this.access = access;
    this.session = session;
  }

  List<HostFunction> functions() {
    return List.of(
        HostFunction.of(
            "graph_run(name, input=, *, thread=, answers=)",
            a -> run(CallArguments.of("graph_run", a, "name"))),
        HostFunction.of(
            "graph_run_batched(requests)", a -> runs(new CallArguments("graph_run_batched", a))));
  }

  private record Asked(String name, ToolGraph graph, HostValue input) {
    Map<String, HostValue> value() {
      var all = new LinkedHashMap<String, HostValue>();
      all.put("name", HostValue.of(name));
      all.put("input", input);
      return all;
    }
  }

  private Asked asked(CallArguments given) throws HostFailure {
    var name = given.text(given.has("graph") ? "graph" : "name");
    var input = given.has("input") ? given.need("input") : new HostValue.Entries(Map.of());
    var granted = access.grants().graphs().get(name);
    if (granted != null) return new Asked(name, granted, input);
    var language = access.grants().language();
    if (language.isPresent()) {
      try {
        return new Asked(name, language.get().graph(name), input);
      } catch (IllegalArgumentException _) {
        // Not one that was registered, either.
      }
    }
    throw CallArguments.unknown("graph", name, new TreeSet<>(access.grants().graphs().keySet()));
  }

  private HostValue run(CallArguments given) throws HostFailure, InterruptedException {
    var asked = asked(given);
    var name = given.has("thread") ? "thread" : "thread_id";
    if (given.has(name)) return onThread(given, asked, given.text(name));
    if (given.has("answers")) throw CallArguments.wrong("graph_run", "answers on a `thread` only");
    var call =
        new CellCalls.Call(CallKind.GRAPH, asked.name(), new HostValue.Entries(asked.value()));
    return session.calls().make(call, (context, key) -> result(asked, context, key));
  }

  private HostValue onThread(CallArguments given, Asked asked, String thread)
      throws HostFailure, InterruptedException {
    if (thread.isBlank() || thread.length() > NAME_MAX) {
      throw CallArguments.wrong("graph_run", "takes a name of 1 to 100 characters as `thread`");
    }
    var answers = answers(given);
    var value = asked.value();
    value.put("thread", HostValue.of(thread));
    if (!answers.isEmpty()) value.put("answers", new HostValue.Entries(answers));
    var call = new CellCalls.Call(CallKind.GRAPH, asked.name(), new HostValue.Entries(value));
    var next = session.lines().next("graph_run", thread, asked.name(), answers);
    var recorded =
        session.calls().make(call, (context, key) -> next(asked, next, answers, context, key));
    return session.lines().ended(next, recorded);
  }

  private static Map<String, HostValue> answers(CallArguments given) throws HostFailure {
    if (!given.has("answers")) return Map.of();
    if (given.need("answers") instanceof HostValue.Entries(var fields)) return fields;
    throw CallArguments.wrong("graph_run", "takes a dict of answers by the id of the question");
  }

  private HostValue next(
      Asked asked,
      GraphLines.Next next,
      Map<String, HostValue> answers,
      AgentContext context,
      String key)
      throws Exception {
    if (!context.node().isPersistent()) {
      throw HostFailure.catchable(
          "needs-thread", "threads of graphs are for runs that are on a stored thread themselves");
    }
    var run = inside(asked, context, key).on(next.line());
    for (var answer : answers.entrySet()) {
      var question = session.lines().question(next.thread(), answer.getKey());
      var refusal = run.refusal(question, HostJson.of(answer.getValue()));
      if (refusal.isPresent()) {
        throw CallArguments.wrong(
            "graph_run", "has a wrong answer to `%s`: %s".formatted(question, refusal.get()));
      }
    }
    var end = run(asked, run.answered(next.answers()), context);
    return GraphLines.record(end, end.state() == null ? null : value(asked, end));
  }

  private HostValue runs(CallArguments given) throws HostFailure, InterruptedException {
    var all = new ArrayList<Asked>();
    for (var item : given.items("requests")) {
      if (!(item instanceof HostValue.Entries(var fields))) {
        throw CallArguments.wrong(given.function(), "takes dicts with `graph` and `input`");
      }
      if (fields.containsKey("thread") || fields.containsKey("thread_id")) {
        throw CallArguments.wrong(given.function(), "takes no `thread`; use graph_run()");
      }
      all.add(asked(new CallArguments(given.function(), fields)));
    }
    var names = new TreeSet<String>();
    for (var one : all) names.add(one.name());
    var value =
        new HostValue.Items(
            all.stream().<HostValue>map(one -> new HostValue.Entries(one.value())).toList());
    var call = new CellCalls.Call(CallKind.GRAPH, String.join(", ", names), value);
    return session
        .calls()
        .batch(call, all.size(), (i, context, key) -> result(all.get(i), context, key));
  }

  private static InsideRun inside(Asked asked, AgentContext context, String key)
      throws HostFailure {
    var graph = asked.graph().within(context.gate());
    var input = input(asked, graph);
    return InsideRun.of(key, graph.graph(), () -> input)
        .with(CallSession.CONTEXT, CallSession.NO_TEXT);
  }

  private static Input input(Asked asked, ToolGraph graph) throws HostFailure {
    try {
      return graph.input(HostJson.of(asked.input()));
    } catch (IllegalArgumentException | SuperstepException e) {
      throw HostFailure.catchable(
          "invalid-arguments",
          "graph `%s` does not take this input: %s".formatted(asked.name(), e.getMessage()));
    }
  }

  private static HostValue result(Asked asked, AgentContext context, String key) throws Exception {
    var end = run(asked, inside(asked, context, key).answered(Map.of()), context);
    return end.state() == null
        ? new HostValue.Entries(Map.of(GraphLines.INTERRUPTED, GraphLines.asked(end)))
        : value(asked, end);
  }

  private static InsideRun.End run(Asked asked, InsideRun run, AgentContext context)
      throws HostFailure, InterruptedException {
    try {
      return context.run(run, asked.name(), Budget.unlimited());
    } catch (NodeFailed e) {
      var cause = CellCalls.cause(e);
      if (!cause.equals(e)) throw cause;
      throw HostFailure.catchable("graph-error", String.valueOf(e.getMessage()));
    }
  }

  private static HostValue value(Asked asked, InsideRun.End end) throws HostFailure {
    var result = asked.graph().result(java.util.Objects.requireNonNull(end.state()));
    if (result.error()) throw HostFailure.catchable("graph-error", result.text());
    try {
      return HostJson.read(Json.parse(result.text()));
    } catch (MalformedJson _) {
      return HostValue.of(result.text());
    }
  }
}
