package dev.superstep.eval.check;

import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.JsonValues;
import dev.superstep.json.Json;
import dev.superstep.model.ChatModel;
import java.util.List;
import java.util.function.UnaryOperator;

/// A trial as a check sees it. For one thread.
///
/// @param item the case
/// @param observation what the subject made of it
/// @param models wraps a model that a check asks, so that its replies are saved and count against
///   the budget of the evaluation
public record Checked(Case item, Observation observation, UnaryOperator<ChatModel> models) {
  /// A trial whose checks ask models as they are.
  public static Checked of(Case item, Observation observation) {
    return new Checked(item, observation, UnaryOperator.identity());
  }

  /// The output.
  public Json output() {
    return observation.output();
  }

  /// The text of the output.
  public String text() {
    return observation.text();
  }

  /// The tool calls, in order.
  public List<CalledTool> tools() {
    return observation.tools();
  }

  /// The text of what is expected.
  ///
  /// @throws MissingExpectation if the case expects nothing
  public String expectedText() {
    return JsonValues.text(expected());
  }

  /// The value that is expected.
  ///
  /// @throws MissingExpectation if the case expects nothing
  public Json expected() {
    return item.expected().orElseThrow(() -> new MissingExpectation(item.id()));
  }
}
