package dev.superstep.repl.internal.call;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.budget.Budget;
import dev.superstep.json.Json;
import dev.superstep.middleware.AgentContext;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.host.TextSource;
import dev.superstep.repl.internal.json.HostJson;
import dev.superstep.run.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// The functions that give a task to another agent, or to a session inside of this one. Such an
/// agent obeys the gate of this one and spends from its ledger.
final class AgentFunctions {
  private static final String NO_DEPTH = "[No deeper session was left: one model call answered.]\n";

  private final SessionAccess access;
  private final CallSession session;
  private final ModelFunctions models;

  AgentFunctions(SessionAccess access, CallSession session, ModelFunctions models) {
    this.access = access;
    this.session = session;
    this.models = models;
  }

  List<HostFunction> functions() {
    var all = new ArrayList<HostFunction>();
    if (!access.grants().agents().isEmpty()) {
      all.add(HostFunction.of("agent(name, input)", a -> agent("agent", a)));
      all.add(HostFunction.of("agent_query(name, input=)", a -> agent("agent_query", a)));
      all.add(HostFunction.of("agent_batch(requests)", a -> agents("agent_batch", a)));
      all.add(
          HostFunction.of("agent_query_batched(requests)", a -> agents("agent_query_batched", a)));
    }
    if (access.limits().depth() > 0 || !access.grants().models().isEmpty()) {
      for (var name : List.of("rlm_query", "repl_query")) {
        all.add(HostFunction.of(name + "(prompt, context=, *, depth=)", a -> inside(name, a)));
      }
      for (var name : List.of("rlm_batch", "rlm_query_batched")) {
        all.add(HostFunction.of(name + "(prompts, contexts=, *, depth=)", a -> insides(name, a)));
      }
    }
    return all;
  }

  private record Asked(String agent, String input, Optional<TextSource> text, HostValue value) {}

  /// A run inside of this one, and what came of it.
  private HostValue run(Agent<?> agent, Asked asked, AgentContext context, String key)
      throws Exception {
    var run =
        agent
            .inside(context, key, asked.input())
            .with(CallSession.CONTEXT, asked.text().orElse(CallSession.NO_TEXT));
    // What it asks of people ends this cell, until it is answered.
    var end = context.run(run, asked.agent(), Budget.unlimited());
    var state = java.util.Objects.requireNonNull(end.state());
    return switch (agent.result(new Outcome.Completed(state))) {
      case AgentResult.Answered<?>(var answer, _) ->
          answer instanceof String text
              ? HostValue.of(text)
              : HostJson.read(Json.of(java.util.Objects.requireNonNull(answer)));
      case AgentResult.Partial<?>(_, var report) ->
          throw HostFailure.catchable(
              "agent-error",
              "agent `%s` ended without an answer: %s".formatted(asked.agent(), report.reason()));
      case AgentResult.Waiting<?> _, AgentResult.Stopped<?> _ ->
          throw new IllegalStateException("a run inside that has ended waits for nobody");
    };
  }

  // --- agents ---

  private HostValue agent(String function, Map<String, HostValue> arguments)
      throws HostFailure, InterruptedException {
    var asked = asked(CallArguments.of(function, arguments, "name"));
    var call = new CellCalls.Call(CallKind.AGENT, asked.agent(), asked.value());
    return session.calls().make(call, (context, key) -> run(granted(asked), asked, context, key));
  }

  private HostValue agents(String function, Map<String, HostValue> arguments)
      throws HostFailure, InterruptedException {
    var all = new ArrayList<Asked>();
    var names = new TreeSet<String>();
    for (var item : new CallArguments(function, arguments).items("requests")) {
      if (!(item instanceof HostValue.Entries(var fields))) {
        throw CallArguments.wrong(function, "takes dicts with `name` and `input`");
      }
      var asked = asked(new CallArguments(function, fields));
      all.add(asked);
      names.add(asked.agent());
    }
    var value = new HostValue.Items(all.stream().map(Asked::value).toList());
    var call = new CellCalls.Call(CallKind.AGENT, String.join(", ", names), value);
    return session
        .calls()
        .batch(
            call,
            all.size(),
            (i, context, key) -> run(granted(all.get(i)), all.get(i), context, key));
  }

  private Asked asked(CallArguments given) throws HostFailure {
    var name = given.text(given.has("agent") ? "agent" : "name");
    var agents = access.grants().agents();
    if (!agents.containsKey(name)) {
      throw CallArguments.unknown("agent", name, new TreeSet<>(agents.keySet()));
    }
    var input = given.need("input");
    var text =
        input instanceof HostValue.Entries || input instanceof HostValue.Items
            ? HostJson.of(input).text()
            : CallArguments.text(given.function(), input);
    return new Asked(
        name, text, Optional.empty(), new HostValue.Entries(new TreeMap<>(given.values())));
  }

  private Agent<?> granted(Asked asked) {
    return java.util.Objects.requireNonNull(access.grants().agents().get(asked.agent()));
  }

  // --- sessions inside ---

  private int depth(CallArguments given) throws HostFailure {
    int most = access.limits().depth();
    return given.number("depth", most, 0, most);
  }

  private HostValue inside(String function, Map<String, HostValue> arguments)
      throws HostFailure, InterruptedException {
    var given = CallArguments.of(function, arguments, "prompt");
    int depth = depth(given);
    var asked =
        inside(
            given.text("prompt"),
            given.has("context") ? Optional.of(given.need("context")) : Optional.empty(),
            function);
    if (depth == 0) return flat(asked);
    var child = access.inside().agent(depth - 1);
    var call = new CellCalls.Call(CallKind.AGENT, "session", asked.value());
    return session.calls().make(call, (context, key) -> run(child, asked, context, key));
  }

  private HostValue insides(String function, Map<String, HostValue> arguments)
      throws HostFailure, InterruptedException {
    var given = new CallArguments(function, arguments);
    int depth = depth(given);
    var prompts = given.texts("prompts");
    var contexts = given.has("contexts") ? given.items("contexts") : List.<HostValue>of();
    if (!contexts.isEmpty() && contexts.size() != prompts.size()) {
      throw CallArguments.wrong(function, "needs as many contexts as prompts");
    }
    var all = new ArrayList<Asked>();
    for (int i = 0; i < prompts.size(); i++) {
      Optional<HostValue> own =
          contexts.isEmpty() ? Optional.empty() : Optional.of(contexts.get(i));
      all.add(inside(prompts.get(i), own, function));
    }
    if (depth == 0) {
      var flat = new ArrayList<ModelFunctions.Asked>();
      for (var asked : all) flat.add(models.asked(flatPrompt(asked), Optional.empty()));
      return models.ask(flat);
    }
    var child = access.inside().agent(depth - 1);
    var value = new HostValue.Items(all.stream().map(Asked::value).toList());
    var call = new CellCalls.Call(CallKind.AGENT, "session", value);
    return session
        .calls()
        .batch(call, all.size(), (i, context, key) -> run(child, all.get(i), context, key));
  }

  private static Asked inside(String prompt, Optional<HostValue> text, String function)
      throws HostFailure {
    Optional<TextSource> source = Optional.empty();
    if (text.isPresent()) {
      source =
          Optional.of(
              text.get() instanceof HostValue.Document(var document)
                  ? document
                  : TextSource.of(CallArguments.text(function, text.get())));
    }
    var value = new TreeMap<String, HostValue>();
    value.put("prompt", HostValue.of(prompt));
    text.ifPresent(given -> value.put("context", given));
    return new Asked("session", prompt, source, new HostValue.Entries(value));
  }

  private String flatPrompt(Asked asked) throws HostFailure {
    if (access.grants().models().isEmpty()) {
      throw HostFailure.catchable("no-depth", "no deeper session is left");
    }
    if (asked.text().isEmpty()) return asked.input();
    return asked.input()
        + "\n\n"
        + CallArguments.text("rlm_query", new HostValue.Document(asked.text().get()));
  }

  private HostValue flat(Asked asked) throws HostFailure, InterruptedException {
    var answer = models.ask(models.asked(flatPrompt(asked), Optional.empty()));
    return HostValue.of(NO_DEPTH + CallArguments.text("rlm_query", answer));
  }
}
