package dev.superstep.language.check;

import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.NodeKind;
import dev.superstep.language.rag.RagCode;
import dev.superstep.language.rag.Reference;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Checks what is asked against what is saved, and who may steer what.
final class PolicyCheck {
  private static final Set<NodeKind> STEERED =
      EnumSet.of(NodeKind.AGENT, NodeKind.SUBAGENT, NodeKind.REPL_AGENT, NodeKind.SUBGRAPH);
  private static final List<String> ACTORS = List.of("parent", "human");
  private static final String DELIVERY = "safe_boundary";
  private static final String DISABLED = "disabled";

  private static final List<String> COMMANDS = Reference.steeringCommands();

  private final Checked graph;

  PolicyCheck(Checked graph) {
    this.graph = graph;
  }

  void check() {
    var unsaved = unsaved();
    for (var node : graph.blueprint.nodes()) {
      if (node.kind().asks()) asking(node, unsaved);
      steering("node/" + node.name(), node.items());
      if (node.steering().isPresent() && !STEERED.contains(node.kind())) {
        graph.report(
            RagCode.STEERING_TARGET,
            "node/" + node.name() + "/steering/keyword",
            "a node of kind `" + node.kind().word() + "` cannot be steered",
            "agents and graphs can");
      }
    }
    steering("graph/defaults", graph.blueprint.defaults());
    if (!unsaved.isEmpty()
        && graph.blueprint.items().text(Item.INTERRUPTS).filter("enabled"::equals).isPresent()) {
      conflict("graph/interrupt", unsaved);
    }
  }

  /// The path of the item because of which nothing is saved; empty if there is none.
  private String unsaved() {
    if (isDisabled(graph.blueprint.items())) return "graph/checkpoint";
    var own = graph.blueprint.items().text(Item.CHECKPOINT).orElse("inherit");
    boolean inherits = own.equals("inherit");
    return inherits && isDisabled(graph.blueprint.defaults()) ? "graph/defaults/checkpoint" : "";
  }

  private static boolean isDisabled(Items items) {
    return items.text(Item.CHECKPOINT).filter(DISABLED::equals).isPresent();
  }

  private void asking(NodeBlueprint node, String unsaved) {
    var path = "node/" + node.name();
    if (graph.blueprint.items().text(Item.INTERRUPTS).filter(DISABLED::equals).isPresent()) {
      graph.add(
          graph
              .at(RagCode.INTERRUPT_DISABLED, path + "/kind", "this graph may not ask anybody")
              .also(graph.places().find("graph/interrupt"), "disabled here")
              .help("remove the node, or `interrupt disabled`"));
    }
    if (isDisabled(node.items())) conflict(path + "/kind", path + "/checkpoint");
    else if (!unsaved.isEmpty()) conflict(path + "/kind", unsaved);
  }

  private void conflict(String path, String unsaved) {
    graph.add(
        graph
            .at(
                RagCode.CHECKPOINT_INTERRUPT,
                path,
                "a question needs checkpoints, since its answer comes in a later run")
            .also(graph.places().find(unsaved), "checkpoints are disabled here")
            .help("enable checkpoints"));
  }

  private void steering(String path, Items items) {
    items
        .find(Item.STEERING, Value.Steering.class)
        .ifPresent(steering -> {
          var at = path + "/steering";
          steering
              .allowed()
              .forEach((actor, commands) -> {
                if (!ACTORS.contains(actor)) {
                  var near = Checked.suggestion(actor, ACTORS);
                  graph.report(
                      RagCode.STEERING_ACTOR,
                      at + "/" + actor + "/actor",
                      Checked.show(actor) + " cannot steer",
                      near.isEmpty() ? "actors are " + Literals.quoted(ACTORS) : near);
                }
                commands(at + "/" + actor, commands);
              });
          if (steering.delivery().isEmpty() || steering.delivery().equals(DELIVERY)) return;
          graph.report(
              RagCode.INVALID_VALUE,
              at + "/delivery",
              "there is no delivery " + Checked.show(steering.delivery()),
              "use \"" + DELIVERY + "\"");
        });
  }

  private void commands(String path, List<String> commands) {
    for (int i = 0; i < commands.size(); i++) {
      if (COMMANDS.contains(commands.get(i))) continue;
      var near = Checked.suggestion(commands.get(i), COMMANDS);
      graph.report(
          RagCode.STEERING_COMMAND,
          path + "/" + i,
          "there is no steering command " + Checked.show(commands.get(i)),
          near.isEmpty() ? "commands are " + Literals.quoted(COMMANDS) : near);
    }
  }
}
