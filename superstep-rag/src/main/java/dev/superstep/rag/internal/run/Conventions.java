package dev.superstep.rag.internal.run;

import dev.superstep.budget.Spend;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.language.blueprint.ConventionalChannel;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.node.Command;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.rag.internal.value.JsonFields;
import dev.superstep.state.State;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// Writes what nodes make beside their results to the channels of conventional names, where a graph
/// has them. Immutable.
public record Conventions(Scene scene) {
  private static final Update NOTHING = new Update(List.of());

  /// The reducers of channels that hold one value: several values are written as their list.
  private static final Set<String> SINGLE = Set.of("overwrite", "any", "ephemeral", "untracked");

  /// The tokens and money that the models of a node took.
  public Update usage(String node, Spend spend) {
    var channel = ConventionalChannel.USAGE.in(scene.blueprint());
    if (channel.isEmpty() || spend.calls() == 0) return NOTHING;
    if (channel.get().reducer().equals("sum")) {
      return write(ConventionalChannel.USAGE, List.of(Json.of(spend.usage().total())));
    }
    var fields = new LinkedHashMap<String, Json>();
    fields.put("node", Json.string(node));
    fields.put("calls", Json.of(spend.calls()));
    fields.put("input", Json.of(spend.usage().input()));
    fields.put("output", Json.of(spend.usage().output()));
    if (spend.cost().compareTo(BigDecimal.ZERO) > 0) fields.put("cost", Json.of(spend.cost()));
    return write(ConventionalChannel.USAGE, List.of(JsonFields.object(fields)));
  }

  /// The typed answer of a node, unless the node names the channel itself.
  ///
  /// @param answer read only where it is written
  public Update structured(String node, Supplier<Json> answer) {
    var known = ConventionalChannel.STRUCTURED_RESPONSE;
    if (known.in(scene.blueprint()).isEmpty()) return NOTHING;
    boolean isTyped =
        scene.blueprint().node(node).flatMap(ConventionalChannel::written).isPresent();
    return isTyped ? write(known, List.of(answer.get())) : NOTHING;
  }

  /// An answer of somebody to a question.
  public Update answered(String node, String prompt, List<String> options, Json answer) {
    var known = ConventionalChannel.INTERRUPTS;
    if (known.in(scene.blueprint()).isEmpty() || isWrittenBy(node, known)) return NOTHING;
    var fields = new LinkedHashMap<String, Json>();
    fields.put("node", Json.string(node));
    fields.put("prompt", Json.string(prompt));
    fields.put("options", Codec.listOf(String.class).encode(options));
    fields.put("answer", answer);
    return write(known, List.of(JsonFields.object(fields)));
  }

  /// The things that tools made beside their text for the model.
  public Update artifacts(String node, Collection<ToolMessage> results) {
    if (ConventionalChannel.ARTIFACTS.in(scene.blueprint()).isEmpty()) return NOTHING;
    var made = new ArrayList<Json>();
    for (var result : results) {
      var content = result.content().stream().filter(Conventions::isReferred).toList();
      if (result.artifact().isEmpty() && content.isEmpty()) continue;
      var fields = new LinkedHashMap<String, Json>();
      fields.put("node", Json.string(node));
      fields.put("tool", Json.string(result.tool()));
      fields.put("call", Json.string(result.callId()));
      result.artifact().ifPresent(artifact -> fields.put("artifact", artifact));
      if (!content.isEmpty()) fields.put("content", Codec.listOf(Content.class).encode(content));
      made.add(JsonFields.object(fields));
    }
    return write(ConventionalChannel.ARTIFACTS, made);
  }

  private static boolean isReferred(Content part) {
    return switch (part) {
      case Content.Image _, Content.ImageLink _, Content.File _, Content.FileLink _ -> true;
      case Content.Text _, Content.Data _, Content.Thinking _, Content.Extension _ -> false;
    };
  }

  /// The things that tools of an agent made in its own conversation since it was last told what to
  /// do.
  public Update artifactsOf(String node, List<Message> conversation) {
    var results = new ArrayList<ToolMessage>();
    for (var message : conversation) {
      if (message instanceof UserMessage) results.clear();
      if (message instanceof ToolMessage result) results.add(result);
    }
    return artifacts(node, results);
  }

  /// The result of an agent that went on with the conversation of the graph, and what its tools
  /// made.
  ///
  /// @param before the state that it began with
  public NodeResult withArtifacts(String node, NodeResult ended, State before) {
    var messages = scene.messages();
    if (messages.isEmpty()) return ended;
    var known = new HashSet<String>();
    for (var message : before.find(messages.get()).orElse(List.of())) {
      if (message instanceof ToolMessage result) known.add(result.callId());
    }
    return switch (ended) {
      case Update update -> update.and(artifacts(node, fresh(update, known)));
      case Command command -> command.with(artifacts(node, fresh(command.update(), known)));
      default -> ended;
    };
  }

  private List<ToolMessage> fresh(Update update, Set<String> known) {
    var results = new ArrayList<ToolMessage>();
    for (var write : update.writes()) {
      if (!(write instanceof dev.superstep.state.Write.PutAll<?>(var channel, var values)))
        continue;
      if (!channel.equals(scene.messages().orElseThrow())) continue;
      for (var value : values) {
        if (value instanceof ToolMessage one && !known.contains(one.callId())) results.add(one);
      }
    }
    return results;
  }

  private boolean isWrittenBy(String node, ConventionalChannel channel) {
    return scene
        .blueprint()
        .node(node)
        .flatMap(each -> each.into())
        .filter(channel.word()::equals)
        .isPresent();
  }

  private Update write(ConventionalChannel known, List<Json> values) {
    var channel = known.in(scene.blueprint());
    if (channel.isEmpty() || values.isEmpty()) return NOTHING;
    var update = NOTHING;
    if (SINGLE.contains(channel.get().reducer())) {
      var one = values.size() == 1 ? values.getFirst() : Codec.listOf(Json.class).encode(values);
      return scene.write(known.word(), one);
    }
    for (var value : values) update = update.and(scene.write(known.word(), value));
    return update;
  }
}
