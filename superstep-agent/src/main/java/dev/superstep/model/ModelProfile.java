package dev.superstep.model;

import dev.superstep.message.Content;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/// The known properties of a model, before it is asked. Immutable.
///
/// @param has what it is known to do
/// @param lacks what it is known not to do; of the rest nothing is known
/// @param contextWindow the most tokens of prompt and answer together
/// @param maxOutput the most tokens of an answer
public record ModelProfile(
    Set<Capability> has,
    Set<Capability> lacks,
    OptionalLong contextWindow,
    OptionalLong maxOutput) {
  /// Nothing is known.
  public static final ModelProfile UNKNOWN =
      new ModelProfile(Set.of(), Set.of(), OptionalLong.empty(), OptionalLong.empty());

  public ModelProfile {
    has = Set.copyOf(has);
    lacks = Set.copyOf(lacks);
  }

  /// A model that can do exactly this.
  public static ModelProfile of(Capability... capabilities) {
    var lacks = EnumSet.allOf(Capability.class);
    List.of(capabilities).forEach(lacks::remove);
    return new ModelProfile(
        Set.of(capabilities), lacks, OptionalLong.empty(), OptionalLong.empty());
  }

  /// Returns a copy with limits in tokens.
  public ModelProfile within(long window, long output) {
    return new ModelProfile(has, lacks, OptionalLong.of(window), OptionalLong.of(output));
  }

  /// Returns true if the model is known to have all of these. A model of which nothing is known has
  /// none.
  public boolean has(Set<Capability> needed) {
    return has.containsAll(needed);
  }

  /// Returns true if the model is known to have this.
  public boolean has(Capability needed) {
    return has.contains(needed);
  }

  /// Returns true if the model is known not to have this.
  public boolean lacks(Capability needed) {
    return lacks.contains(needed);
  }

  /// Why the model cannot be asked this, as far as is known; nothing if it can.
  ///
  /// @param promptTokens the size of the prompt, as a count that is not too high
  public List<String> problems(ChatRequest request, long promptTokens) {
    var problems = new ArrayList<String>();
    if (!request.tools().isEmpty() && lacks(Capability.TOOLS)) problems.add("it takes no tools");
    if (lacks(Capability.VISION) && hasPicture(request)) problems.add("it reads no pictures");
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
