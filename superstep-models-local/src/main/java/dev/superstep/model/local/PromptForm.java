package dev.superstep.model.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The formats that turn a conversation into one text. Texts must not contain control tokens.
enum PromptForm {
  /// The chat template of Gemma: system text opens the first user turn.
  GEMMA {
    @Override
    String render(List<ChildRequest.Turn> turns) {
      var prompt = new StringBuilder();
      for (var turn : folded(turns)) {
        var name = turn.role() == ChildRequest.Role.MODEL ? "model" : "user";
        prompt.append("<start_of_turn>").append(name).append('\n');
        prompt.append(turn.text().strip()).append("<end_of_turn>\n");
      }
      return prompt.append("<start_of_turn>model\n").toString();
    }

    @Override
    List<String> stops() {
      return List.of();
    }
  },

  /// For base models, which only continue text: a transcript whose earlier turns are examples.
  TRANSCRIPT {
    @Override
    String render(List<ChildRequest.Turn> turns) {
      var prompt = new StringBuilder();
      for (var turn : merged(turns)) {
        switch (turn.role()) {
          case SYSTEM -> {}
          case USER -> prompt.append(USER_LABEL).append(' ');
          case MODEL -> prompt.append(MODEL_LABEL).append(' ');
        }
        prompt.append(LABEL.matcher(turn.text().strip()).replaceAll("> $0"));
        prompt.append(turn.role() == ChildRequest.Role.USER ? "\n" : "\n\n");
      }
      return prompt.append(MODEL_LABEL).toString();
    }

    @Override
    List<String> stops() {
      return List.of("\n" + USER_LABEL, "\n" + MODEL_LABEL);
    }
  };

  private static final String USER_LABEL = "Input:";
  private static final String MODEL_LABEL = "Output:";
  // A line of a message that looks like the start of a turn is quoted, or it would be one.
  private static final Pattern LABEL = Pattern.compile("(?m)^[ \\t]*(Input|Output):");

  /// The prompt, which ends where the model is to go on.
  abstract String render(List<ChildRequest.Turn> turns);

  /// Texts that end the answer and are no part of it.
  abstract List<String> stops();

  /// The form for a model with this chat template, which is empty for base models.
  ///
  /// @throws IllegalArgumentException if the template is of a family that is not known here
  static PromptForm of(String template) {
    if (template.isEmpty()) return TRANSCRIPT;
    if (template.contains("<start_of_turn>")) return GEMMA;
    throw new IllegalArgumentException(
        "the weights want a chat template that Superstep does not know; use Gemma 3 weights, or"
            + " serve these with Ollama and name them `ollama://`");
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static List<ChildRequest.Turn> folded(List<ChildRequest.Turn> turns) {
    var instructions = new ArrayList<String>();
    var rest = new ArrayList<ChildRequest.Turn>();
    for (var turn : turns) {
      if (turn.role() == ChildRequest.Role.SYSTEM) instructions.add(turn.text().strip());
      else rest.add(turn);
    }
    if (!instructions.isEmpty()) {
      rest.addFirst(
          new ChildRequest.Turn(ChildRequest.Role.USER, String.join("\n\n", instructions)));
    }
    // Templates of Gemma refuse a conversation that does not begin with the user.
    if (rest.isEmpty() || rest.getFirst().role() == ChildRequest.Role.MODEL) {
      rest.addFirst(new ChildRequest.Turn(ChildRequest.Role.USER, "(nothing)"));
    }
    return merged(rest);
  }

  /// Neighbours of one role become one turn: templates want the roles to alternate.
  private static List<ChildRequest.Turn> merged(List<ChildRequest.Turn> turns) {
    var merged = new ArrayList<ChildRequest.Turn>();
    for (var turn : turns) {
      if (!merged.isEmpty() && merged.getLast().role() == turn.role()) {
        var text = merged.removeLast().text().strip() + "\n\n" + turn.text().strip();
        merged.add(new ChildRequest.Turn(turn.role(), text));
      } else {
        merged.add(turn);
      }
    }
    return merged;
  }
}
