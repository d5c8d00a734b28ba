package dev.superstep.rag.internal.node;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.AgentReport;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.OnLimit;
import dev.superstep.agent.run.StopReason;
import dev.superstep.budget.Budget;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Fences;
import dev.superstep.model.ModelResolver;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeContext;
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
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.host.TextSource;
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
  private static final int MOST = Integer.MAX_VALUE;

  private final Scene scene;

  public AgentNodes(Scene scene) {
    this.scene = scene;
  }

  /// The outer state and the argument of a node that is an agent or a graph.
  ///
  /// @param passages what was found for it
  public record Given(State state, @Nullable Object argument, List<Message> passages) {
    /// The argument of a node, or the state alone.
    @SuppressWarnings("ReferenceEquality") // a node without an argument is given this very state
    public static Given of(Object from, State state) {
      return new Given(state, from == state ? null : from, List.of());
    }

    Given with(List<Message> found) {
      return new Given(state, argument, found);
    }
  }

  /// Gives an agent the instructions that its text fills with values of the graph around.
  private record Filling() implements Middleware {
    private static final ContextKey<String> TEXT = ContextKey.of("rag-instructions", String.class);

    @Override
    public Touches touches() {
      return Touches.PREFIX;
    }

    @Override
    public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
      var text = context.node().find(TEXT);
      if (text.isEmpty()) return request;
      var all = new ArrayList<>(request.messages());
      boolean hasOwn = !all.isEmpty() && all.getFirst() instanceof SystemMessage;
      var own = hasOwn ? "\n\n" + all.removeFirst().text() : "";
      all.addFirst(Message.system(text.get() + own));
      return request.withMessages(all);
    }
  }

  /// A node of kind `agent`: the loop of a model with tools, on the conversation of the graph.
  public Subgraph<Object> agent(
      NodeBlueprint node, ChatModel model, List<Tool> tools, NodeEnd end) {
    var builder = Agent.named(node.name()).model(model).tools(tools.toArray(Tool[]::new));
    var prompts = Prompts.of(node, scene, true);
    builder.instructions(instructions(prompts, end));
    if (prompts.isFilled()) builder.middleware(new Filling());
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
    return new Node<>(agent, prompts, true, Result.of(node, scene), end).subgraph(Optional.empty());
  }

  /// A node of kind `repl_agent`: a script, a model that writes cells, or the one before the other.
  /// Cells may call the tools of the node and its model. Their `context` is the conversation of the
  /// graph.
  public Subgraph<Object> session(
      NodeBlueprint node, Optional<ChatModel> model, List<Tool> tools, NodeEnd end) {
    var grants = Grants.none().tools(tools.toArray(Tool[]::new)).middleware(Retrying.times(1));
    if (model.isPresent()) grants = grants.model(node.model().orElseThrow(), model.get());
    var prompts = Prompts.of(node, scene, true);
    var settings =
        ReplAgent.named(node.name())
            .model(model.orElseGet(() -> new ScriptAlone(node.name())))
            .grants(grants)
            .instructions(instructions(prompts, end));
    if (prompts.isFilled()) settings.middleware(new Filling());
    for (var name : node.middleware()) {
      settings.middleware(scene.component(Kind.MIDDLEWARE, name));
    }
    node.script().ifPresent(name -> settings.script(scene.component(Kind.SCRIPT, name)));
    var agent =
        settings
            .agent(builder -> {
              limit(builder, node);
              return end.labels().contains(LIMIT)
                  ? builder.onLimit(OnLimit.RETURN_PARTIAL)
                  : builder;
            })
            .build();
    var made = new Node<>(agent, prompts, true, Result.of(node, scene), end);
    made.readsConversation = true;
    return made.subgraph(Optional.empty());
  }

  private String instructions(Prompts prompts, NodeEnd end) {
    var parts = new ArrayList<String>();
    prompts
        .system()
        .filter(_ -> !prompts.isFilled())
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
    long depth = Math.min(LimitItems.count(own, "depth").orElse(MOST), scene.meter().depth());
    if (depth < MOST) builder.depth((int) depth);
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
    agent = limited(agent.within(gate(node)), node);
    var prompts = Prompts.of(node, scene, false);
    var made = new Node<>(agent, prompts, false, Result.of(node, scene), end);
    var subgraph = made.subgraph(LimitItems.budget(node.items(), scene));
    return node.items().has(Item.REMEMBERING) ? subgraph.remembering() : subgraph;
  }

  /// A registered agent within the limits of its node, and no deeper than the graph may.
  private Agent<?> limited(Agent<?> agent, NodeBlueprint node) {
    var own = node.items();
    long depth = Math.min(LimitItems.count(own, "depth").orElse(MOST), scene.meter().depth());
    return agent.atMost(
        Math.clamp(LimitItems.count(own, "model_calls").orElse(MOST), 1, MOST),
        (int) Math.min(LimitItems.count(own, "tool_calls").orElse(MOST), MOST),
        (int) Math.min(depth, MOST));
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
    private boolean readsConversation;

    Node(Agent<A> agent, Prompts prompts, boolean isTalking, Result how, NodeEnd end) {
      this.node = end.node();
      this.agent = agent;
      this.prompts = prompts;
      this.isTalking = isTalking;
      this.how = how;
      this.end = end;
    }

    /// @param budget what it may spend, beside the limits of the agent itself
    Subgraph<Object> subgraph(Optional<Budget> budget) {
      return Subgraph.<Object>of(
              agent.graph(), given -> input((Given) given), state -> result(state))
          .interceptor((from, state, context, within) ->
              scene.meter().task(state, context, () -> run(from, state, context, within, budget)));
    }

    private NodeResult run(
        Object from,
        State state,
        NodeContext context,
        Subgraph.Invocation<Object> within,
        Optional<Budget> budget)
        throws Exception {
      var meter = scene.meter();
      meter.refuseWithoutToolCalls(context);
      var given = Given.of(from, state);
      var said = prompts.said(given.state(), given.argument());
      var run = meter.nested(within, context, agent.name(), budget);
      if (prompts.isFilled()) run = run.with(Filling.TEXT, prompts.instructions(state));
      if (readsConversation) {
        run = run.with(ReplAgent.CONTEXT, conversation(state));
        run = run.with(ReplAgent.STATE, scene.values(state));
      }
      var ended = run.run(given.with(prompts.passages(said, context)));
      if (isTalking) ended = scene.conventions().withArtifacts(context.node(), ended, state);
      meter.ended(ended, context);
      return ended;
    }

    private TextSource conversation(State state) {
      var text = new StringBuilder();
      for (var message : prompts.conversation(state)) {
        if (!text.isEmpty()) text.append("\n\n");
        text.append(message.text());
      }
      return TextSource.of(text.toString());
    }

    private Input input(Given given) {
      var all = new ArrayList<Message>(prompts.conversation(given.state()));
      all.addAll(given.passages());
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
