package dev.superstep.language.check;

import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.RagCode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Checks that what a graph refers to is registered, and allowed by its host and by itself. Of what
/// is not allowed it never says whether it exists.
final class ReferenceCheck {
  private final Checked graph;
  private final Names names;
  private final Set<String> graphs;
  private int unresolved;

  /// @param graphs the names of the graphs in the source
  ReferenceCheck(Checked graph, Names names, Set<String> graphs) {
    this.graph = graph;
    this.names = names;
    this.graphs = graphs;
  }

  /// Checks all references, and returns how many could not be looked up.
  int check() {
    graph.blueprint.allow().forEach(this::allowed);
    items("graph", graph.blueprint.items());
    items("graph/start", graph.blueprint.start());
    items("graph/defaults", graph.blueprint.defaults());
    items("graph/defaults/node", graph.blueprint.nodeDefaults());
    for (var node : graph.blueprint.nodes()) items("node/" + node.name(), node.items());
    for (var channel : graph.blueprint.channels()) {
      var path = "channel/" + channel.name();
      channel.type().ifPresent(type -> type(path + "/of", type));
      var at = ChannelCheck.isStandard(channel.reducer()) ? "/argument/0" : "/reducer";
      ChannelCheck.registered(channel)
          .ifPresent(name -> reference(path + at, Capability.REDUCERS, name));
    }
    return unresolved;
  }

  /// The names that a graph lists after `allow` must exist, so that none is misspelt.
  private void allowed(Capability kind, List<String> listed) {
    for (int i = 0; i < listed.size(); i++) {
      exists("allow/" + kind.word() + "/" + i, kind, listed.get(i));
    }
  }

  private void items(String path, Items items) {
    items
        .values()
        .forEach((item, value) -> {
          var at = path + "/" + item.word();
          switch (value) {
            case Value.Text(var text) -> named(at, item, text);
            case Value.Texts(var texts) -> {
              for (int i = 0; i < texts.size(); i++) named(at + "/" + i, item, texts.get(i));
            }
            case Value.Router(var name, _) -> named(at, item, name);
            case Value.FanOut(var name, _) -> named(at, item, name);
            case Value.Sends(var sends) -> {
              for (int i = 0; i < sends.size(); i++) {
                named(at + "/" + i + "/mapping", item, sends.get(i).mapping());
              }
            }
            case Value.Prompt(var name, var isTemplate) -> {
              if (isTemplate) reference(at, Capability.TEMPLATES, name);
            }
            case Value.Type(var type) -> type(at, type);
            case Value.TypedFields(var fields) ->
                fields.forEach(field -> type(at + "/" + field.name() + "/type", field.type()));
            case Value.Fields(var fields) -> {
              if (item == Item.CACHE && fields.get("key") instanceof Literal.Text(var key)) {
                reference(at + "/key", Capability.MAPPINGS, key);
              }
            }
            default -> {}
          }
        });
  }

  private void named(String path, Item item, String name) {
    item.refersTo().ifPresent(kind -> reference(path, kind, name));
  }

  private void type(String path, TypeName type) {
    if (type.isRegistered()) reference(path, Capability.TYPES, type.innermost());
  }

  private void reference(String path, Capability kind, String name) {
    var host = graph.policy.allowed().get(kind);
    boolean isOwn = kind == Capability.GRAPHS && graphs.contains(name);
    if (host != null && !host.contains(name) && !isOwn) {
      disallowed(path, kind, name, "by the host", "");
      return;
    }
    var own = graph.blueprint.allow().get(kind);
    if (own != null && !own.contains(name)) {
      if (!exists(path, kind, name)) return;
      disallowed(path, kind, name, "by this graph", "allow/" + kind.word());
      return;
    }
    exists(path, kind, name);
  }

  private void disallowed(String path, Capability kind, String name, String who, String list) {
    var code =
        graph.policy.isGenerated()
            ? RagCode.DISALLOWED_GENERATED_CAPABILITY
            : RagCode.DISALLOWED_CAPABILITY;
    var message = kind.noun() + " " + Checked.show(name) + " is not allowed " + who;
    var diagnostic = graph.at(code, path, message);
    if (!list.isEmpty()) diagnostic = diagnostic.also(graph.places().find(list), "what is allowed");
    var near = Checked.suggestion(name, visible(kind));
    graph.add(diagnostic.help(near.isEmpty() && !list.isEmpty() ? "add it to the list" : near));
  }

  private boolean exists(String path, Capability kind, String name) {
    if (kind == Capability.GRAPHS && graphs.contains(name)) return true;
    var known = names.registered(kind);
    if (known.isEmpty()) {
      unresolved++;
      return true;
    }
    if (known.get().contains(name)) return true;
    var near = Checked.suggestion(name, visible(kind));
    var message = "no " + kind.noun() + " " + Checked.show(name) + " is registered";
    graph.report(code(kind), path, message, near);
    return false;
  }

  private static RagCode code(Capability kind) {
    for (var code : RagCode.values()) if (code.code().equals(kind.unknownCode())) return code;
    throw new IllegalStateException("no code for " + kind);
  }

  /// The names that may be suggested: those that the graph may use.
  private Set<String> visible(Capability kind) {
    var visible = new HashSet<>(names.registered(kind).orElse(Set.of()));
    if (kind == Capability.GRAPHS) visible.addAll(graphs);
    if (kind == Capability.TYPES) visible.addAll(TypeName.BUILT_IN);
    if (kind == Capability.REDUCERS) visible.addAll(ChannelCheck.standard());
    var host = graph.policy.allowed().get(kind);
    if (host != null) visible.retainAll(host);
    var own = graph.blueprint.allow().get(kind);
    if (own != null) visible.retainAll(own);
    return new TreeSet<>(visible);
  }
}
