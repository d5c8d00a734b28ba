package dev.superstep.rag.internal.node;

import dev.superstep.json.Codec;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.language.blueprint.Value;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.rag.component.AskedQuestion;
import dev.superstep.rag.internal.run.Scene;
import dev.superstep.rag.internal.value.JsonFields;
import dev.superstep.state.State;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The code of a node that asks: of kind `interrupt` or `human`. The answer is written and chooses
/// the route. Immutable.
public record AskCode(
    Scene scene,
    Value.Prompt prompt,
    List<String> options,
    String node,
    Question<AskedQuestion, Object> question,
    Optional<String> into,
    NodeEnd end)
    implements NodeCode {
  /// The questions of a text: the same one wherever a graph is bound.
  public interface Questions {
    /// The question of this name, made if it is not known.
    <P, A> Question<P, A> question(String name, Supplier<Question<P, A>> make);
  }

  public static AskCode of(NodeBlueprint node, Scene scene, NodeEnd end, Questions questions) {
    var type = scene.types().bound(node.answer().orElse(TypeName.TEXT));
    var options = node.options();
    var name = scene.blueprint().graph() + "." + node.name();
    var question =
        questions.question(
            name,
            () ->
                Question.of(name, Codec.of(AskedQuestion.class), type.codec())
                    .checkedBy(answer -> refusal(JsonFields.shown(answer), options)));
    return new AskCode(
        scene, node.prompt().orElseThrow(), options, node.name(), question, node.into(), end);
  }

  private static Optional<String> refusal(String answer, List<String> options) {
    return options.isEmpty() || options.contains(answer)
        ? Optional.empty()
        : Optional.of("`%s` is none of: %s".formatted(answer, String.join(", ", options)));
  }

  @Override
  public NodeResult run(State state, @Nullable Object argument, NodeContext context) {
    var asked = new AskedQuestion(scene.text(prompt, state), options, node);
    var answer = context.interrupt(question, asked);
    var update =
        into.map(channel -> scene.write(channel, question.answer().encode(answer)))
            .orElse(new Update(List.of()));
    var json = question.answer().encode(answer);
    update = update.and(scene.conventions().answered(node, asked.prompt(), options, json));
    return end.isLabelled() ? end.of(update, JsonFields.shown(answer)) : end.of(update);
  }
}
