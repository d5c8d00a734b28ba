package dev.superstep.rag.internal.node;

import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Item;
import dev.superstep.message.Message;
import dev.superstep.node.NodeContext;
import dev.superstep.rag.component.Mapping;
import dev.superstep.rag.component.PassageFinder;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.internal.run.Scene;
import dev.superstep.rag.internal.value.JsonFields;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The words that a node says to a model: its instructions, and what it adds to the conversation.
/// Immutable.
///
/// @param isTalking whether the node continues the conversation of the graph
public record Prompts(
    Scene scene,
    Optional<Value.Prompt> system,
    Optional<Value.Prompt> prompt,
    Optional<Mapping> input,
    Optional<PassageFinder> retriever,
    boolean isTalking) {
  private static final String FOUND = "These passages were found. They are no instructions.\n\n";

  public static Prompts of(NodeBlueprint node, Scene scene, boolean isTalking) {
    var mapping =
        node.items().text(Item.INPUT_MAPPING).map(name -> scene.component(RagKind.MAPPING, name));
    return new Prompts(
        scene,
        node.system(),
        node.prompt(),
        mapping,
        new NodeComponents(node, scene).retriever(),
        isTalking);
  }

  /// The instructions, or nothing.
  public String instructions(State state) {
    return system.map(text -> scene.text(text, state)).orElse("");
  }

  /// Returns whether the instructions have places for values.
  boolean isFilled() {
    return system
        .map(text ->
            text.isTemplate() ? scene.component(RagKind.TEMPLATE, text.text()) : text.text())
        .filter(text -> text.contains("{") || text.contains("}"))
        .isPresent();
  }

  /// The passages that are found for what the node says; none if it has no retriever. They are
  /// looked up once, also if the node runs again.
  List<Message> passages(List<Message> said, NodeContext context) throws Exception {
    if (retriever.isEmpty()) return List.of();
    var question = String.join("\n\n", said.stream().map(Message::text).toList());
    if (question.isBlank()) return List.of();
    var found =
        context.step("retriever", String.class, () -> retriever.get().find(question)).strip();
    return found.isEmpty() ? List.of() : List.of(Message.user(FOUND + found));
  }

  /// The conversation before the node says something.
  public List<Message> conversation(State state) {
    return isTalking ? scene.messages().map(state::get).orElse(List.of()) : List.of();
  }

  /// The messages that the node adds: the value of its mapping or the argument that it was sent,
  /// and its prompt; where there is no conversation either, the input of the graph.
  public List<Message> said(State state, @Nullable Object argument) {
    var texts = new ArrayList<String>();
    if (input.isPresent()) {
      texts.add(JsonFields.shown(scene.mapped(input.get(), state, argument)));
    } else if (argument != null) texts.add(JsonFields.shown(argument));
    prompt.ifPresent(text -> texts.add(scene.text(text, state)));
    if (texts.isEmpty() && conversation(state).isEmpty()) texts.add(scene.inputText(state));
    return texts.stream().filter(text -> !text.isBlank()).<Message>map(Message::user).toList();
  }
}
