package dev.superstep.agent.run;

import dev.superstep.node.ContextKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// Labels of a run of agents, for events and requests; never sent to a vendor and never saved, so a
/// resumed run must be given them again. Those that are inherited reach all agents in the run,
/// those that are local only the agents that no other one called. What an agent is labelled with
/// changes nothing for the one that called it. Immutable.
///
/// ```java
/// var labels = AgentLabels.none().with("tenant", "7").withLocal("attempt", "2");
/// agent.run("Go.", options.with(AgentLabels.KEY, labels));
/// ```
///
/// An agent has labels of its own: [dev.superstep.agent.AgentBuilder#label]. The metadata of a run
/// are inherited labels, too.
public record AgentLabels(Map<String, String> inherited, Map<String, String> local) {
  /// Where a run finds them.
  public static final ContextKey<AgentLabels> KEY =
      ContextKey.of("agent-labels", AgentLabels.class);

  private static final AgentLabels NONE = new AgentLabels(Map.of(), Map.of());

  public AgentLabels {
    inherited = Collections.unmodifiableMap(new LinkedHashMap<>(inherited));
    local = Collections.unmodifiableMap(new LinkedHashMap<>(local));
  }

  /// No labels.
  public static AgentLabels none() {
    return NONE;
  }

  /// Returns a copy with a label that agents inherit from the one that calls them.
  public AgentLabels with(String name, String value) {
    return new AgentLabels(plus(inherited, name, value), local);
  }

  /// Returns a copy with a label that no other agent inherits.
  public AgentLabels withLocal(String name, String value) {
    return new AgentLabels(inherited, plus(local, name, value));
  }

  private static Map<String, String> plus(Map<String, String> some, String name, String value) {
    if (name.isBlank()) throw new IllegalArgumentException("the name of a label is blank");
    var more = new LinkedHashMap<>(some);
    more.put(name, value);
    return more;
  }
}
