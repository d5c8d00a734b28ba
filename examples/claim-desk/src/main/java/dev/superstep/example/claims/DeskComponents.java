package dev.superstep.example.claims;

import dev.superstep.agent.Agent;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Router;
import dev.superstep.rag.component.Components;
import dev.superstep.rag.component.Mapping;
import dev.superstep.rag.component.RagKind;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.schema.Description;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.Tool;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The components that `claim_desk.rag` names beside its models and prompts.
public final class DeskComponents implements Components {
  private static final Channel<String, String> CLAIM = Channel.latest("claim", String.class);
  private static final Channel<List<String>, String> FINDINGS =
      Channel.append("findings", String.class);

  /// Runs before the model writes a program of its own.
  private static final String PROBE =
      """
      topic = 'water' if context.grep('roof') else 'fire'
      print(tool('policy_lookup', topic=topic))
      """;

  /// Called by the command.
  public DeskComponents() {}

  /// The argument of `policy_lookup`.
  record Topic(@Description("what the claim is about, such as fire") String topic) {}

  /// The argument of `notify`.
  record Notice(@Description("one sentence") String text) {}

  @Override
  public void register(Registry registry) {
    registry.register(Component.of(RagKind.CHANNEL, "claim", CLAIM));
    registry.register(Component.of(RagKind.CHANNEL, "findings", FINDINGS));
    var spend = Channel.reduce("spend", Long.class, 0L, Long::sum);
    registry.register(Component.of(Kind.REDUCER, "usage_sum", spend.reducer()));
    var lookUp =
        Tool.of(
            "policy_lookup",
            "Looks up what the policy covers.",
            Topic.class,
            (asked, _) -> policy(asked.topic()));
    var inform =
        Tool.of(
            "notify", "Tells the customer.", Notice.class, (notice, _) -> "told: " + notice.text());
    registry.register(Component.of(Kind.TOOL, "policy_lookup", lookUp));
    registry.register(Component.of(Kind.TOOL, "notify", inform));
    Mapping questions = DeskComponents::questions;
    registry.register(Component.of(RagKind.MAPPING, "per_question", questions));
    Router<String> confidence = DeskComponents::confidence;
    registry.register(Component.of(Kind.ROUTER, "by_confidence", confidence));
    registry.register(Component.of(RagKind.FUNCTION, "score", (_, _) -> NodeResult.nothing()));
    var checker =
        Agent.named("fact_checker")
            .model(registry.get(Kind.MODEL, "small"))
            .instructions("Check the statement. Begin with `sure` or `unsure`.")
            .build();
    registry.register(Component.of(Kind.AGENT, "fact_checker", checker));
    registry.register(Component.of(Kind.SCRIPT, "probe", PROBE));
  }

  private static String policy(String topic) {
    return switch (topic.toLowerCase(Locale.ROOT)) {
      case "fire" -> "Fire is covered.";
      case "water" -> "Water is covered if the roof was looked after.";
      default -> "The policy says nothing of " + topic + ".";
    };
  }

  /// A question for each sentence of the claim.
  private static Object questions(State state) {
    return Stream.of(state.get(CLAIM).split("(?<=[.?!])\\s+")).map(String::strip).toList();
  }

  private static String confidence(State state) {
    boolean isSure = state.get(FINDINGS).stream().noneMatch(text -> text.startsWith("unsure"));
    return isSure ? "sure" : "unsure";
  }
}
