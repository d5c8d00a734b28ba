package dev.superstep.repl.agent;

import dev.superstep.agent.Agent;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.middleware.AgentContext;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.run.Outcome;
import dev.superstep.tool.ToolGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// The functions that run graphs, and those that write them: a draft is read, checked, compared and
/// compiled here, and runs only once the host has approved exactly this text.
final class GraphFunctions {
  private static final int SOURCE_MAX = 64 << 10;

  private final SessionAccess access;
  private final LiveSession session;

  GraphFunctions(SessionAccess access, LiveSession session) {
    this.access = access;
    this.session = session;
  }

  /// A graph that was written, and where it is compiled, the hash of it.
  private record Draft(String name, String source, String hash) {
    HostValue handle() {
      return new HostValue.Handle(hash.isEmpty() ? "draft" : "compiled graph", name, this);
    }
  }

  List<HostFunction> functions() {
    var all = new ArrayList<HostFunction>();
    all.add(
        HostFunction.of(
            "graph_run(name, input=)", a -> run(CallArguments.of("graph_run", a, "name"))));
    all.add(
        HostFunction.of(
            "graph_run_batched(requests)", a -> runs(new CallArguments("graph_run_batched", a))));
    if (access.grants().language().isEmpty()) return all;
    all.add(
        HostFunction.of(
            "graph_define(name, source=)",
            a -> define(CallArguments.of("graph_define", a, "name"))));
    all.add(
        HostFunction.of(
            "graph_validate(draft)", a -> validate(new CallArguments("graph_validate", a))));
    all.add(
        HostFunction.of(
            "graph_compile(draft)", a -> compile(new CallArguments("graph_compile", a))));
    all.add(HostFunction.of("graph_diff(a, b)", a -> diff(new CallArguments("graph_diff", a))));
    all.add(
        HostFunction.of(
            "graph_register(name, graph=)",
            a -> register(CallArguments.of("graph_register", a, "name"))));
    return all;
  }

  private GraphLanguage language() {
    return access.grants().language().orElseThrow();
  }

  // --- running ---

  private record Asked(String name, ToolGraph graph, HostValue input) {
    HostValue value() {
      var all = new LinkedHashMap<String, HostValue>();
      all.put("name", HostValue.of(name));
      all.put("input", input);
      return new HostValue.Entries(all);
    }
  }

  private Asked asked(CallArguments given) throws HostFailure {
    var name = given.text(given.has("graph") ? "graph" : "name");
    var input = given.has("input") ? given.need("input") : new HostValue.Entries(Map.of());
    var granted = access.grants().graphs().get(name);
    if (granted != null) return new Asked(name, granted, input);
    if (access.grants().language().isPresent()) {
      try {
        return new Asked(name, language().graph(name), input);
      } catch (IllegalArgumentException _) {
        // Not one that was registered, either.
      }
    }
    throw CallArguments.unknown("graph", name, new TreeSet<>(access.grants().graphs().keySet()));
  }

  private HostValue run(CallArguments given) throws HostFailure, InterruptedException {
    var asked = asked(given);
    var call = new CellCalls.Call(CallKind.GRAPH, asked.name(), asked.value());
    return session.calls().make(call, (context, _) -> result(asked, context));
  }

  private HostValue runs(CallArguments given) throws HostFailure, InterruptedException {
    var all = new ArrayList<Asked>();
    for (var item : given.items("requests")) {
      if (!(item instanceof HostValue.Entries(var fields))) {
        throw CallArguments.wrong(given.function(), "takes dicts with `graph` and `input`");
      }
      all.add(asked(new CallArguments(given.function(), fields)));
    }
    var names = new TreeSet<String>();
    for (var one : all) names.add(one.name());
    var value = new HostValue.Items(all.stream().map(Asked::value).toList());
    var call = new CellCalls.Call(CallKind.GRAPH, String.join(", ", names), value);
    return session.calls().batch(call, all.size(), (i, context, _) -> result(all.get(i), context));
  }

  private static HostValue result(Asked asked, AgentContext context) throws Exception {
    var graph = asked.graph().within(context.gate());
    var options = RunOptions.defaults().with(Agent.LEDGER, context.ledger());
    var outcome = graph.graph().invoke(graph.input(HostJson.of(asked.input())), options);
    return switch (outcome) {
      case Outcome.Completed(var state) -> {
        var result = graph.result(state);
        if (result.error()) throw HostFailure.catchable("graph-error", result.text());
        yield value(result.text());
      }
      case Outcome.Interrupted(var questions) -> {
        var open = new ArrayList<HostValue>();
        for (var question : questions) {
          var told = new LinkedHashMap<String, HostValue>();
          told.put("id", HostValue.of(question.id()));
          told.put("payload", HostJson.read(question.payload()));
          open.add(new HostValue.Entries(told));
        }
        yield new HostValue.Entries(Map.of("interrupted", new HostValue.Items(open)));
      }
      case Outcome.Stopped(var reason, _) ->
          throw HostFailure.catchable(
              "graph-error", "graph `" + asked.name() + "` was stopped: " + reason);
    };
  }

  private static HostValue value(String text) {
    try {
      return HostJson.read(Json.parse(text));
    } catch (MalformedJson _) {
      return HostValue.of(text);
    }
  }

  // --- writing ---

  private HostValue define(CallArguments given) throws HostFailure {
    var source = given.text("source");
    if (source.length() > SOURCE_MAX) {
      throw CallArguments.wrong("graph_define", "takes a source of at most 65,536 characters");
    }
    session.counts().take(CallKind.DEFINITION, 1);
    return new Draft(given.text("name"), source, "").handle();
  }

  private static Draft draft(CallArguments given, String name) throws HostFailure {
    if (given.need(name) instanceof HostValue.Handle(_, _, Draft draft)) return draft;
    throw CallArguments.wrong(
        given.function(), "takes a draft of graph_define() as `" + name + "`");
  }

  private HostValue validate(CallArguments given) throws HostFailure {
    var draft = draft(given, "draft");
    var findings = new ArrayList<HostValue>();
    for (var finding : language().validate(draft.name(), draft.source())) {
      var told = new LinkedHashMap<String, HostValue>();
      told.put("code", HostValue.of(finding.code()));
      told.put("severity", HostValue.of(finding.severity()));
      told.put("message", HostValue.of(finding.message()));
      told.put("line", HostValue.of(finding.line()));
      told.put("column", HostValue.of(finding.column()));
      findings.add(new HostValue.Entries(told));
    }
    return new HostValue.Items(findings);
  }

  private HostValue compile(CallArguments given) throws HostFailure {
    var draft = draft(given, "draft");
    try {
      var hash = language().hash(draft.name(), draft.source());
      return new Draft(draft.name(), draft.source(), hash).handle();
    } catch (IllegalArgumentException e) {
      // What came to nothing takes no place.
      session.counts().giveBack(CallKind.DEFINITION);
      throw HostFailure.catchable("graph-compilation-failed", String.valueOf(e.getMessage()));
    }
  }

  private HostValue diff(CallArguments given) throws HostFailure {
    return HostValue.texts(language().diff(source(given, "a"), source(given, "b")));
  }

  private String source(CallArguments given, String name) throws HostFailure {
    if (given.need(name) instanceof HostValue.Handle(_, _, Draft draft)) return draft.source();
    try {
      return language().source(given.text(name));
    } catch (IllegalArgumentException e) {
      throw HostFailure.catchable("unknown-graph", String.valueOf(e.getMessage()));
    }
  }

  private HostValue register(CallArguments given) throws HostFailure, InterruptedException {
    var draft = draft(given, "graph");
    if (draft.hash().isEmpty()) {
      throw CallArguments.wrong("graph_register", "takes a compiled graph, never a draft");
    }
    var name = given.text("name");
    var call = new CellCalls.Call(CallKind.EMIT, "register " + name, HostValue.of(draft.hash()));
    return session
        .calls()
        .make(
            call,
            (_, _) -> {
              try {
                language().register(name, draft.source(), draft.hash());
              } catch (IllegalStateException e) {
                throw HostFailure.catchable("review-required", String.valueOf(e.getMessage()));
              }
              return HostValue.NOTHING;
            });
  }
}
