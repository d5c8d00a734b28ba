package dev.superstep.rag.internal.run;

import dev.superstep.agent.steering.SteeringCommand;
import dev.superstep.agent.steering.SteeringCommand.Actor;
import dev.superstep.agent.steering.SteeringCommand.Target;
import dev.superstep.agent.steering.SteeringPolicy;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Item;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Who may send which commands to the agents of a graph. A command that does not name its agent
/// must be allowed for all that have rules; an agent without rules takes what the standard policy
/// lets pass. Immutable.
public final class SteeringRules implements SteeringPolicy {
  private final Map<String, Value.Steering> byAgent = new LinkedHashMap<>();
  private final Optional<Value.Steering> others;

  public SteeringRules(Blueprint blueprint) {
    this.others = blueprint.defaults().find(Item.STEERING, Value.Steering.class);
    for (var node : blueprint.nodes()) {
      node.steering().ifPresent(rules -> byAgent.put(agent(node), rules));
    }
  }

  private static String agent(NodeBlueprint node) {
    return node.agent().orElse(node.name());
  }

  @Override
  public Optional<String> refusal(SteeringCommand command, List<String> around) {
    var standard = SteeringPolicy.standard().refusal(command, around);
    if (standard.isPresent()) return standard;
    var rules = new ArrayList<Value.Steering>();
    if (command.target() instanceof Target.Named(var agent)) {
      var own = byAgent.get(agent);
      if (own != null) rules.add(own);
      else others.ifPresent(rules::add);
    } else {
      rules.addAll(byAgent.values());
      others.ifPresent(rules::add);
    }
    for (var rule : rules) {
      var refused = refusal(command, rule);
      if (refused.isPresent()) return refused;
    }
    return Optional.empty();
  }

  private static Optional<String> refusal(SteeringCommand command, Value.Steering rules) {
    var actor =
        switch (command.actor()) {
          case Actor.Human _ -> "human";
          case Actor.ParentAgent _, Actor.GraphSupervisor _ -> "parent";
          case Actor.OfMiddleware _, Actor.Test _ -> "";
        };
    if (actor.isEmpty()) return Optional.empty();
    var word = word(command);
    return rules.allowed().getOrDefault(actor, List.of()).contains(word)
        ? Optional.empty()
        : Optional.of("`" + word + "` by " + actor + " is not allowed in this graph");
  }

  private static String word(SteeringCommand command) {
    var name = command.steer().getClass().getSimpleName();
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }
}
