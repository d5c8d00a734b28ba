package dev.superstep.spring;

import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The graphs and agents that an application has as beans, by their names.
record DeclaredGraphs(Map<String, Graph> graphs, Map<String, Agent<?>> agents) {
  DeclaredGraphs {
    graphs = Collections.unmodifiableMap(graphs);
    agents = Collections.unmodifiableMap(agents);
  }

  /// @throws IllegalStateException if two have one name, since their threads name their graph
  static DeclaredGraphs of(List<Graph> declared, List<Agent<?>> agents) {
    var graphs = new TreeMap<String, Graph>();
    var byName = new TreeMap<String, Agent<?>>();
    var twice = new ArrayList<String>();
    for (var graph : declared) {
      if (graphs.put(graph.name(), graph) != null) twice.add(graph.name());
    }
    for (var agent : agents) {
      var graph = agent.graph();
      if (graphs.put(graph.name(), graph) != null) twice.add(graph.name());
      byName.put(agent.name(), agent);
    }
    if (twice.isEmpty()) return new DeclaredGraphs(graphs, byName);
    throw new IllegalStateException(
        "Several beans of graphs or agents are named %s. Give each a name of its own: a saved thread"
                .formatted(twice)
            + " finds its graph by it.");
  }

  Graph graph(String name) {
    var graph = graphs.get(name);
    if (graph == null) throw UnknownRun.name(name, graphs.keySet());
    return graph;
  }

  Agent<?> agent(String name) {
    var agent = agents.get(name);
    if (agent == null) throw UnknownRun.name(name, agents.keySet());
    return agent;
  }
}
