package dev.superstep.repl.agent;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.budget.Budget;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatModel;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.SessionBackend;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.repl.host.TextSource;
import dev.superstep.repl.internal.call.ChildSessions;
import dev.superstep.repl.internal.call.SessionAccess;
import dev.superstep.repl.record.CellRecord;
import dev.superstep.repl.record.ReplayDivergence;
import dev.superstep.repl.record.SessionInput;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The settings of an agent that works by cells. One thread at a time; what it builds is immutable.
public final class ReplAgentBuilder {
  private static final long TOKENS = 2_000_000;

  private final String name;
  private @Nullable ChatModel model;
  private Grants grants = Grants.none();
  private ReplLimits limits = ReplLimits.standard();
  private ReplPolicy policy = ReplPolicy.standard();
  private SessionBackend backend = SessionBackend.ragsh();
  private ReplTemplate template = ReplTemplate.GENERAL;
  private String instructions = "";
  private String script = "";
  private TextSource text = TextSource.of("");
  private Budget budget = Budget.unlimited().totalTokens(TOKENS);
  private ToolGate gate = ToolGate.open();
  private UnaryOperator<AgentBuilder> more = UnaryOperator.identity();
  private final List<Middleware> middleware = new ArrayList<>();

  ReplAgentBuilder(String name) {
    this.name = name;
  }

  private ReplAgentBuilder copy() {
    var copy = new ReplAgentBuilder(name);
    copy.model = model;
    copy.grants = grants;
    copy.limits = limits;
    copy.policy = policy;
    copy.backend = backend;
    copy.template = template;
    copy.instructions = instructions;
    copy.text = text;
    copy.script = script;
    copy.budget = budget;
    copy.gate = gate;
    copy.more = more;
    copy.middleware.addAll(middleware);
    return copy;
  }

  /// The model that writes the cells.
  public ReplAgentBuilder model(ChatModel driver) {
    model = driver;
    return this;
  }

  /// Sets the things that cells may call; nothing unless set.
  public ReplAgentBuilder grants(Grants granted) {
    grants = granted;
    return this;
  }

  /// Sets the limits of a session.
  public ReplAgentBuilder limits(ReplLimits most) {
    limits = most;
    return this;
  }

  /// Sets the limits of a cell.
  public ReplAgentBuilder policy(ReplPolicy ofCells) {
    policy = ofCells;
    return this;
  }

  /// Runs cells by another interpreter than the built-in one; sessions inside of sessions, too.
  public ReplAgentBuilder backend(SessionBackend interpreter) {
    backend = interpreter;
    return this;
  }

  /// Sets the instructions, which explain the session; [ReplTemplate#GENERAL] unless set.
  public ReplAgentBuilder template(ReplTemplate instructing) {
    template = instructing;
    return this;
  }

  /// Adds to the instructions at their end.
  public ReplAgentBuilder instructions(String own) {
    instructions = own;
    return this;
  }

  /// Sets a cell that runs first, before the model is asked. If it answers, the model never is.
  public ReplAgentBuilder script(String cell) {
    script = cell;
    return this;
  }

  /// The text of runs that are given none by [ReplAgent#CONTEXT].
  public ReplAgentBuilder context(TextSource preset) {
    text = preset;
    return this;
  }

  /// Limits the spending of a run with all that its cells call; two million tokens unless set.
  public ReplAgentBuilder budget(Budget most) {
    budget = most;
    return this;
  }

  /// Which tools may be called, and which only after a person has approved.
  public ReplAgentBuilder gate(ToolGate rules) {
    gate = rules;
    return this;
  }

  /// Adds middleware for the turns of the model and for the tools that cells call.
  public ReplAgentBuilder middleware(Middleware... around) {
    middleware.addAll(List.of(around));
    return this;
  }

  /// Changes further settings of the agent, such as `a -> a.timeout(...)`.
  public ReplAgentBuilder agent(UnaryOperator<AgentBuilder> change) {
    more = change;
    return this;
  }

  /// An agent that answers with text.
  ///
  /// @throws IllegalStateException if no model was set
  public Agent<String> build() {
    if (model == null) throw new IllegalStateException("agent `" + name + "` needs a model");
    var access = access();
    var builder =
        Agent.named(name)
            .model(model)
            .instructions(SessionPrompt.of(access, template, instructions))
            .budget(budget)
            .gate(gate)
            .modelCalls(limits.turns())
            .toolCalls(limits.turns());
    for (var entry : grants.tools().entrySet())
      builder.tools(named(entry.getKey(), entry.getValue()));
    var all = new ArrayList<>(middleware);
    all.add(new CellMiddleware(access, text, script));
    builder.middleware(all.toArray(Middleware[]::new));
    return more.apply(builder).build();
  }

  /// The access of its sessions.
  SessionAccess access() {
    var settings = copy();
    ChildSessions inside =
        depth -> {
          var child = settings.copy();
          child.limits = settings.limits.withDepth(depth);
          child.script = "";
          return child.build();
        };
    return new SessionAccess(grants.bound(name), limits, policy, backend, inside);
  }

  /// Runs recorded cells again with the recorded answers; no model and nothing else is called.
  ///
  /// @param cells of one session, from its first on
  /// @param text the value of `context` then; where a person loaded it, from that step on
  /// @param input the variables that the session began with, if it had any
  /// @return what happened now, which is the same
  /// @throws ReplayDivergence at the first difference
  public List<CellRecord> repeat(
      List<CellRecord> cells, TextSource text, Optional<SessionInput> input) {
    boolean loads = cells.stream().anyMatch(cell -> cell.text().isPresent());
    var first = loads ? TextSource.of("") : text;
    var given = input.map(InputVariables::read).orElse(Map.of());
    try (var session = new LiveSession(access(), first, (_, _) -> text, given)) {
      return session.repeat(cells);
    }
  }

  private static Tool named(String name, Tool tool) {
    return tool.name().equals(name) ? tool : tool.named(name, tool.spec().description());
  }

  @Override
  public String toString() {
    return "ReplAgentBuilder[" + name + "]";
  }
}
