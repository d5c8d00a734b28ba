package dev.superstep.repl.internal.call;

import dev.superstep.node.Question;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.SessionBackend;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.repl.host.HostFunction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// The access of the sessions of an agent: its grants, within its limits. Immutable.
///
/// @param inside makes the session that a cell may start; its depth is what is left
public record SessionAccess(
    Grants grants,
    ReplLimits limits,
    ReplPolicy policy,
    SessionBackend backend,
    ChildSessions inside) {
  /// The functions of a session.
  public List<HostFunction> functions(CallSession session) {
    var all = new ArrayList<HostFunction>();
    var models = new ModelFunctions(this, session);
    if (!grants.models().isEmpty()) {
      all.addAll(models.functions());
      all.addAll(new Combinators(models, session).functions());
    }
    if (!grants.tools().isEmpty()) all.addAll(new ToolFunctions(this, session).functions());
    all.addAll(new AgentFunctions(this, session, models).functions());
    if (!grants.graphs().isEmpty() || grants.language().isPresent()) {
      all.addAll(new GraphFunctions(this, session).functions());
    }
    grants
        .language()
        .ifPresent(language -> all.addAll(new DraftFunctions(language, session).functions()));
    if (!grants.stores().isEmpty()) all.addAll(new StoreFunctions(this, session).functions());
    all.addAll(new EventFunctions(session).functions());
    return new LiteralChecks(grants, session).checked(all);
  }

  /// The questions that people may be asked by what runs inside of a cell. Of graphs, these are the
  /// approvals: cells answer the others.
  public List<Question<?, ?>> questions() {
    var all = new LinkedHashSet<Question<?, ?>>();
    for (var agent : grants.agents().values()) all.addAll(agent.graph().questions());
    for (var graph : grants.graphs().values()) {
      for (var question : graph.graph().questions()) if (question.isApproval()) all.add(question);
    }
    grants.language().ifPresent(language -> all.addAll(language.questions()));
    return List.copyOf(all);
  }
}
