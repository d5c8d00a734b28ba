package dev.superstep.model;

import dev.superstep.message.Content;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/// What is known of a model before it is asked. Immutable.
///
/// @param isKnown whether the capabilities are all there are; an unknown model may have any, and is
///   never chosen for one
/// @param contextWindow the most tokens of prompt and answer together
/// @param maxOutput the most tokens of an answer
public record ModelProfile(
    boolean isKnown,
    Set<Capability> capabilities,
    OptionalLong contextWindow,
    OptionalLong maxOutput) {
  /// Nothing is known.
  public static final ModelProfile UNKNOWN =
      new ModelProfile(false, Set.of(), OptionalLong.empty(), OptionalLong.empty());

  public ModelProfile {
    capabilities = Set.copyOf(capabilities);
  }

  /// A model that can do exactly this.
  public static ModelProfile of(Capability... capabilities) {
    return new ModelProfile(true, Set.of(capabilities), OptionalLong.empty(), OptionalLong.empty());
  }

  /// The same, with limits in tokens.
  public ModelProfile within(long window, long output) {
    return new ModelProfile(
        isKnown, capabilities, OptionalLong.of(window), OptionalLong.of(output));
  }

  /// Whether the model is known to have all of these. No model of which nothing is known has any.
  public boolean has(Set<Capability> needed) {
    return needed.isEmpty() || (isKnown && capabilities.containsAll(needed));
  }

  /// Why the model cannot be asked this, as far as is known; nothing if it can.
  ///
  /// @param promptTokens the size of the prompt, as a count that is not too high
  public List<String> problems(ChatRequest request, long promptTokens) {
    var problems = new ArrayList<String>();
    if (isKnown) {
      if (!request.tools().isEmpty() && !capabilities.contains(Capability.TOOLS)) {
        problems.add("it takes no tools");
      }
      if (hasPicture(request) && !capabilities.contains(Capability.VISION)) {
        problems.add("it reads no pictures");
      }
    }
    if (contextWindow.isPresent() && promptTokens > contextWindow.getAsLong()) {
      problems.add(
          "the prompt has at least %d tokens and its context %d"
              .formatted(promptTokens, contextWindow.getAsLong()));
    }
    var most = request.maxTokens();
    if (maxOutput.isPresent() && most.isPresent() && most.get() > maxOutput.getAsLong()) {
      problems.add(
          "it answers with at most %d tokens, asked for %d"
              .formatted(maxOutput.getAsLong(), most.get()));
    }
    return problems;
  }

  private static boolean hasPicture(ChatRequest request) {
    for (var message : request.messages()) {
      for (var part : message.content()) {
        if (part instanceof Content.Image || part instanceof Content.ImageLink) return true;
      }
    }
    return false;
  }
}
