package dev.superstep.model.local;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The rules of Gemma's chat template for a prompt, as the template that comes with the weights
/// states them (`tokenizer_config.json` of google/gemma-3-270m-it): turns of user and model
/// alternate and begin with the user, "Conversation roles must alternate user/assistant/user/...";
/// the text of a turn is trimmed; the prompt ends with the opening of a turn of the model.
final class GemmaRules {
  private static final String OPENING = "<start_of_turn>model\n";
  private static final Pattern TURN =
      Pattern.compile("<start_of_turn>(user|model)\n(.*?)<end_of_turn>\n", Pattern.DOTALL);

  private GemmaRules() {}

  /// The rules that a prompt breaks.
  static List<String> broken(String prompt) {
    var broken = new ArrayList<String>();
    if (!prompt.endsWith(OPENING)) return List.of("the model's turn is not opened");
    var turns = prompt.substring(0, prompt.length() - OPENING.length());
    var turn = TURN.matcher(turns);
    int at = 0;
    for (int i = 0; at < turns.length(); i++) {
      if (!turn.find(at) || turn.start() != at) return List.of("text outside a turn: " + at);
      var role = i % 2 == 0 ? "user" : "model";
      if (!turn.group(1).equals(role)) broken.add("roles must alternate user/assistant/user");
      if (!turn.group(2).equals(turn.group(2).strip())) broken.add("a text is not trimmed");
      if (turn.group(2).contains("<start_of_turn>")) broken.add("a turn in a turn");
      at = turn.end();
    }
    if (at == 0) broken.add("there is no turn of the user");
    return broken;
  }
}
