package dev.superstep.rag.internal.node;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.AgentReport;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.OnLimit;
import dev.superstep.agent.run.StopReason;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import dev.superstep.message.Message;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ChatModel;
import dev.superstep.model.Fences;
import dev.superstep.model.ModelResolver;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.rag.component.Mapping;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.error.RagError;
import dev.superstep.rag.internal.run.LimitItems;
import dev.superstep.rag.internal.run.Scene;
import dev.superstep.rag.internal.value.BoundTypes.BoundType;
import dev.superstep.rag.internal.value.JsonFields;
import dev.superstep.registry.Kind;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.State;
import dev.superstep.tool.GateDecision;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes the nodes that are agents: of kind `agent` and `subagent`.
public final class AgentNodes {
  public static final String FINAL = "final";
  private static final String LIMIT = "limit";
  private static final String REFUSED = "refused";
  private static final String ROUTE = "route";

  private final Scene scene;

  public AgentNodes(Scene scene) {
    this.scene = scene;
  }

  /// The outer state and the argument of a node that is an agent or a graph.
  public record Given(State state, @Nullable Object argument) {
    /// The argument of a node, or the state alone.
    @SuppressWarnings("ReferenceEquality") // a node without an argument is given this very state
    public static Given of(Object from, State state) {
      return new Given(state, from == state ? null : from);
    }
  }

  /// A node of kind `agent`: the loop of a model with tools, on the conversation of the graph.
  public Subgraph<Object> agent(
      NodeBlueprint node, ChatModel model, List<Tool> tools, NodeEnd end) {
    var builder = Agent.named(node.name()).model(model).tools(tools.toArray(Tool[]::new));
    var prompts = Prompts.of(node, scene, true);
    builder.instructions(instructions(prompts, end));
    boolean retries = false;
    for (var name : node.middleware()) {
      var one = scene.component(Kind.MIDDLEWARE, name);
      builder.middleware(one);
      retries |= one.retriesModel();
    }
    // The text says how often a node is tried, so that what it takes is bounded.
    if (!retries) builder.middleware(Retrying.times(1));
    limit(builder, node);
    if (end.labels().contains(LIMIT)) builder.onLimit(OnLimit.RETURN_PARTIAL);
    var agent = built(builder, node);
    return new Node<>(agent, prompts, true, Result.of(node, scene), end).subgraph();
  }

  private String instructions(Prompts prompts, NodeEnd end) {
    var parts = new ArrayList<String>();
    prompts
        .system()
        .map(t -> t.isTemplate() ? scene.component(RagKind.TEMPLATE, t.text()) : t.text())
        .ifPresent(parts::add);
    if (end.isLabelled() && !end.labels().stream().allMatch(AgentNodes::isOutcome)) {
      parts.add("Answer with one of these words alone: " + String.join(", ", end.labels()) + ".");
    }
    return String.join("\n\n", parts);
  }

  /// The use that a node makes of an answer.
  ///
  /// @param type of the answer, if the text says one
  /// @param output makes writes of it, if there is one
  private record Result(Optional<BoundType> type, Optional<String> into, Optional<Mapping> output) {
    static Result of(NodeBlueprint node, Scene scene) {
      return new Result(
          node.answer().map(scene.types()::bound),
          node.into(),
          node.items()
              .text(Item.OUTPUT_MAPPING)
              .map(name -> scene.component(RagKind.MAPPING, name)));
    }

    /// The answer in the type that the text says.
    Object typed(Object answer) {
      if (!(answer instanceof String text) || type.isEmpty()) return answer;
      if (type.get().name().name().equals("text")) return answer;
      try {
        return type.get().codec().encode(type.get().read(Json.parse(Fences.strip(text))));
      } catch (MalformedJson _) {
        throw new RagError(
            "rag.wrong-answer",
            "the agent should answer with `%s`, and said: %s"
                .formatted(type.get().name(), ModelCode.cut(text)));
      }
    }
  }

  private Agent<?> built(AgentBuilder builder, NodeBlueprint node) {
    if (node.answer().isEmpty()) return builder.build();
    var type = scene.types().bound(node.answer().get());
    return type.of().filter(each -> each.isRecord() || each.isSealed()).isPresent()
        ? builder.answering(type.of().get())
        : builder.build();
  }

  /// The limits of a node, within those of its graph.
  private void limit(AgentBuilder builder, NodeBlueprint node) {
    var own = node.items();
    var around = scene.blueprint().items();
    least(own, around, "model_calls").ifPresent(n -> builder.modelCalls(Math.max(1, n)));
    least(own, around, "tool_calls").ifPresent(builder::toolCalls);
    least(own, around, "depth").ifPresent(builder::depth);
    LimitItems.budget(own, scene).ifPresent(builder::budget);
  }

  private static Optional<Integer> least(Items own, Items around, String key) {
    var mine = LimitItems.count(own, key);
    var theirs = LimitItems.count(around, key);
    if (mine.isEmpty() && theirs.isEmpty()) return Optional.empty();
    long least = Math.min(mine.orElse(Long.MAX_VALUE), theirs.orElse(Long.MAX_VALUE));
    return Optional.of((int) Math.min(least, Integer.MAX_VALUE));
  }

  /// A node of kind `subagent`: a registered agent, with a conversation of its own, that may do no
  /// more than the graph.
  public Subgraph<Object> subagent(
      NodeBlueprint node, Agent<?> registered, Optional<ChatModel> model, NodeEnd end) {
    Agent<?> agent = registered;
    if (model.isPresent()) agent = agent.withModels(ModelResolver.of(model.get()));
    agent = agent.within(gate(node));
    var prompts = Prompts.of(node, scene, false);
    var made = new Node<>(agent, prompts, false, Result.of(node, scene), end);
    var subgraph = made.subgraph();
    return node.items().has(Item.REMEMBERING) ? subgraph.remembering() : subgraph;
  }

  /// The tools that an agent of this graph may call: those that the graph may use, and of these
  /// those that the node names.
  private ToolGate gate(NodeBlueprint node) {
    var gate = ToolGate.open();
    var only = scene.allowed().only(Capability.TOOLS);
    var agents = new HashSet<String>();
    scene
        .allowed()
        .only(Capability.AGENTS)
        .ifPresent(names -> names.forEach(name -> agents.add(name.replace('-', '_'))));
    if (only.isPresent()) gate = gate.and(allowing(tools(only.get()), agents));
    if (!node.tools().isEmpty()) {
      gate = gate.and(allowing(tools(Set.copyOf(node.tools())), agents));
    }
    return gate;
  }

  /// The names by which models call registered tools.
  private Set<String> tools(Set<String> registered) {
    var names = new HashSet<String>();
    for (var name : registered) {
      scene.registry().find(Kind.TOOL, name).ifPresent(tool -> names.add(tool.name()));
    }
    return names;
  }

  private static ToolGate allowing(Set<String> tools, Set<String> agents) {
    return ToolGate.open()
        .and((tool, _) ->
            tools.contains(tool.name()) || agents.contains(tool.name())
                ? GateDecision.allow()
                : new GateDecision.Deny("It is not allowed in this graph."));
  }

  /// An agent as a node. If it is talking, it continues the conversation of the graph.
  private final class Node<A> {
    private final String node;
    private final Agent<A> agent;
    private final Prompts prompts;
    private final boolean isTalking;
    private final Result how;
    private final NodeEnd end;

    Node(Agent<A> agent, Prompts prompts, boolean isTalking, Result how, NodeEnd end) {
      this.node = end.node();
      this.agent = agent;
      this.prompts = prompts;
      this.isTalking = isTalking;
      this.how = how;
      this.end = end;
    }

    Subgraph<Object> subgraph() {
      return Subgraph.<Object>of(
              agent.graph(), given -> input((Given) given), state -> result(state))
          .interceptor((from, state, context, within) -> {
            scene.meter().begin(state, context);
            scene.meter().refuseWithoutToolCalls(context);
            var ended = within.run(Given.of(from, state));
            if (isTalking) ended = scene.conventions().withArtifacts(context.node(), ended, state);
            scene.meter().ended(ended, context);
            return ended;
          });
    }

    private Input input(Given given) {
      var all = new ArrayList<Message>(prompts.conversation(given.state()));
      all.addAll(prompts.said(given.state(), given.argument()));
      return agent.input(all);
    }

    private NodeResult result(State state) {
      var result = agent.result(new Outcome.Completed(state));
      return switch (result) {
        case AgentResult.Answered<A>(var answer, var report) -> {
          var update = update(answer, report, state).and(structured(answer));
          yield ended(update, label(answer, report), report);
        }
        case AgentResult.Partial<A>(var text, var report) -> partial(text, report, state);
        case AgentResult.Waiting<A> _, AgentResult.Stopped<A> _ ->
            throw new RagError("rag.no-answer", "the agent ended without an answer");
      };
    }

    private Update structured(Object answer) {
      return scene
          .conventions()
          .structured(node, () -> how.typed(answer) instanceof Json json ? json : Json.of(answer));
    }

    private NodeResult partial(String text, AgentReport report, State state) {
      if (!end.labels().contains(LIMIT)) {
        throw new RagError(
            "rag.no-answer",
            "the agent stopped without an answer: "
                + report.reason().name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '));
      }
      return ended(update(text, report, state), LIMIT, report);
    }

    private NodeResult ended(Update update, String label, AgentReport report) {
      var beside = scene.conventions().usage(node, report.spent());
      if (!isTalking || scene.messages().isEmpty()) {
        beside = beside.and(scene.conventions().artifactsOf(node, report.conversation()));
      }
      var spent = scene.meter().spent(update.and(beside), report.spent(), report.toolCalls());
      return end.isLabelled() ? end.of(spent, label) : end.of(spent);
    }

    private String label(Object answer, AgentReport report) {
      if (report.reason() == StopReason.FILTERED) return REFUSED;
      if (answer instanceof String text) {
        boolean isOutcome = end.labels().stream().allMatch(AgentNodes::isOutcome);
        return isOutcome ? FINAL : ModelCode.label(text, end.labels());
      }
      try {
        var route = JsonFields.of(Json.of(answer)).get(ROUTE);
        return route == null ? FINAL : JsonFields.plain(route);
      } catch (MalformedJson _) {
        return FINAL;
      }
    }

    private Update update(Object answer, AgentReport report, State state) {
      var update = new Update(List.of());
      var messages = scene.messages();
      if (isTalking && messages.isPresent()) {
        update = update.and(Update.all(messages.get(), report.conversation()));
      }
      Object made = how.output().<Object>map(m -> m.of(state, answer)).orElse(answer);
      if (made instanceof Update own) return update.and(own);
      if (made instanceof Map<?, ?> fields) {
        for (var field : fields.entrySet()) {
          update = update.and(scene.write(String.valueOf(field.getKey()), field.getValue()));
        }
        return update;
      }
      if (how.into().isPresent()) {
        return update.and(scene.write(how.into().get(), how.typed(made)));
      }
      return !isTalking && messages.isPresent()
          ? update.and(Update.of(messages.get(), Message.assistant(JsonFields.shown(made))))
          : update;
    }
  }

  private static boolean isOutcome(String label) {
    return label.equals(FINAL) || label.equals(LIMIT) || label.equals(REFUSED);
  }
}
