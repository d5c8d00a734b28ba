package dev.superstep.rag.internal.node;

import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.NodeKind;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ToolSpec;
import dev.superstep.rag.component.PassageFinder;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.internal.run.RunDefaults;
import dev.superstep.rag.internal.run.Scene;
import dev.superstep.rag.internal.run.Unstreamed;
import dev.superstep.registry.Kind;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// The registered components of one node, each of which the graph and those around it allow.
///
/// @param node the node that refers to them
public record NodeComponents(NodeBlueprint node, Scene scene) {
  /// Refuses what a graph around this one, or its host, does not allow.
  public void check(Capability kind, String name) {
    if (scene.allowed().allows(kind, name)) return;
    throw new IllegalArgumentException(
        kind.noun()
            + " `"
            + name
            + "` is not allowed in graph `"
            + scene.blueprint().graph()
            + "`");
  }

  /// The model of the node, if it names one.
  public Optional<ChatModel> model() {
    return node.model()
        .map(name -> {
          check(Capability.MODELS, name);
          var model = scene.component(Kind.MODEL, name);
          return RunDefaults.isStreamed(scene.blueprint()) ? model : new Unstreamed(model);
        });
  }

  /// The search for passages that the node names, if it names one.
  public Optional<PassageFinder> retriever() {
    return node.items()
        .text(Item.RETRIEVER)
        .map(name -> {
          check(Capability.RETRIEVERS, name);
          return scene.component(RagKind.RETRIEVER, name);
        });
  }

  /// The tools of the node.
  public List<Tool> tools() {
    return tools(node);
  }

  private List<Tool> tools(NodeBlueprint of) {
    var tools = new ArrayList<Tool>();
    for (var name : of.tools()) {
      check(Capability.TOOLS, name);
      tools.add(scene.component(Kind.TOOL, name));
    }
    return tools;
  }

  /// The tools that a model may ask for: those of the executors to which its node leads.
  public List<ToolSpec> offered() {
    var targets = new HashSet<>(node.targets());
    for (var edge : scene.blueprint().edges()) {
      if (edge instanceof Edge.Direct(var from, var to) && from.equals(node.name())) {
        targets.add(to);
      }
    }
    var offered = new LinkedHashMap<String, ToolSpec>();
    for (var other : scene.blueprint().nodes()) {
      if (other.kind() != NodeKind.TOOL_EXECUTOR || !targets.contains(other.name())) continue;
      for (var tool : tools(other)) offered.put(tool.name(), tool.spec());
    }
    return List.copyOf(offered.values());
  }
}
