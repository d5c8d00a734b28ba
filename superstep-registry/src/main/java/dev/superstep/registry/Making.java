package dev.superstep.registry;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.json.SuperstepException;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ChatModel;
import dev.superstep.prompt.PromptValues;
import dev.superstep.registry.InvalidAgent.Problem;
import dev.superstep.tool.ToolGate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// Makes one agent of its definition, and collects what is wrong with that. One thread at a time.
final class Making {
  private final AgentDefinition definition;
  private final Parts parts;
  private final List<Problem> problems = new ArrayList<>();

  /// The names of tools, as the model knows them, by those of the registry.
  private final Map<String, String> called = new HashMap<>();

  /// The parts by their names.
  interface Parts {
    /// A part.
    <T> T get(Kind<T> kind, String name);
  }

  Making(AgentDefinition definition, Parts parts) {
    this.definition = definition;
    this.parts = parts;
  }

  /// The agent, or what else is made of its settings.
  ///
  /// @throws InvalidAgent with all that is wrong
  <A> A made(Function<AgentBuilder, A> finish) {
    var name = definition.name().isBlank() ? "?" : definition.name();
    if (definition.name().isBlank()) problem("name", Optional.empty(), "It has no name.");
    var agent = Agent.named(name);
    part("model", Kind.MODEL, definition.model())
        .ifPresent((ChatModel model) -> agent.model(model));
    prompt(agent);
    unique("tools", definition.tools());
    for (var tool : definition.tools()) {
      part("tools", Kind.TOOL, tool)
          .ifPresent(found -> {
            agent.tools(found);
            called.put(tool, found.name());
          });
    }
    unique("agents", definition.agents().stream().map(AgentDefinition.Callee::agent).toList());
    for (var callee : definition.agents()) {
      part("agents", Kind.AGENT, callee.agent())
          .ifPresent(found -> {
            agent.agent(found, callee.description());
            called.put(callee.agent(), found.asTool(callee.description()).name());
          });
    }
    for (var one : definition.middleware()) {
      part("middleware", Kind.MIDDLEWARE, one).ifPresent(found -> agent.middleware(found));
    }
    approvals(agent);
    limits(agent);
    if (!problems.isEmpty()) throw new InvalidAgent(name, problems);
    var made = new ArrayList<A>(1);
    attempt("agent", () -> made.add(finish.apply(agent)));
    if (!problems.isEmpty()) throw new InvalidAgent(name, problems);
    return made.getFirst();
  }

  /// The ids of all parts.
  ///
  /// @throws InvalidAgent if a part has a name that no component can have
  List<ComponentId> ids() {
    var ids = new ArrayList<ComponentId>();
    id("model", Kind.MODEL, definition.model(), ids);
    definition.prompt().ifPresent(used -> id("prompt", Kind.TEMPLATE, used.name(), ids));
    for (var tool : definition.tools()) id("tools", Kind.TOOL, tool, ids);
    for (var callee : definition.agents()) id("agents", Kind.AGENT, callee.agent(), ids);
    for (var one : definition.middleware()) id("middleware", Kind.MIDDLEWARE, one, ids);
    if (!problems.isEmpty()) throw new InvalidAgent(definition.name(), problems);
    return ids;
  }

  private void id(String part, Kind<?> kind, String name, List<ComponentId> ids) {
    attempt(part, () -> ids.add(kind.id(name)));
  }

  private void prompt(AgentBuilder agent) {
    agent.instructions(definition.system());
    if (definition.prompt().isEmpty()) return;
    if (!definition.system().isBlank()) {
      problem("prompt", Optional.empty(), "It has instructions, too. Leave out one of the two.");
    }
    var used = definition.prompt().get();
    part("prompt", Kind.TEMPLATE, used.name())
        .ifPresent(template ->
            attempt("prompt", () -> agent.prompt(template, PromptValues.of(used.values()))));
  }

  /// The model knows tools by their own names, which need not be those of the registry.
  private void approvals(AgentBuilder agent) {
    var names = new ArrayList<String>();
    var known = new HashSet<>(definition.tools());
    for (var callee : definition.agents()) known.add(callee.agent());
    for (var approved : definition.approved()) {
      var own = called.get(approved);
      if (own != null) names.add(own);
      if (known.contains(approved)) continue;
      var message = "`%s` is none of its tools and agents.".formatted(approved);
      problem("approved", Optional.empty(), message);
    }
    if (!names.isEmpty()) agent.gate(ToolGate.open().confirming(names.toArray(String[]::new)));
  }

  private void limits(AgentBuilder agent) {
    var limits = definition.limits();
    limit("modelCalls", limits.modelCalls(), agent::modelCalls);
    limit("toolCalls", limits.toolCalls(), agent::toolCalls);
    limit("concurrency", limits.concurrency(), agent::concurrency);
    limit("depth", limits.depth(), agent::depth);
    limit("attempts", limits.attempts(), most -> agent.middleware(Retrying.times(most)));
    limit("timeout", limits.timeout(), agent::timeout);
    limit("toolTimeout", limits.toolTimeout(), agent::toolTimeout);
  }

  private <V> void limit(String name, Optional<V> value, Consumer<V> set) {
    value.ifPresent(given -> attempt("limits." + name, () -> set.accept(given)));
  }

  private void unique(String part, List<String> names) {
    var seen = new HashSet<String>();
    for (var name : names) {
      if (!seen.add(name)) {
        problem(part, Optional.empty(), "`%s` is there twice. Name it once.".formatted(name));
      }
    }
  }

  private <T> Optional<T> part(String part, Kind<T> kind, String name) {
    var found = new ArrayList<T>(1);
    attempt(part, () -> found.add(parts.get(kind, name)));
    return found.stream().findFirst();
  }

  private void attempt(String part, Runnable work) {
    try {
      work.run();
    } catch (UnknownComponent e) {
      problem(part, e.nearest(), String.valueOf(e.getMessage()));
    } catch (SuperstepException | IllegalArgumentException | IllegalStateException e) {
      problem(part, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  private void problem(String part, Optional<ComponentId> about, String message) {
    problems.add(new Problem(part, about, message));
  }
}
