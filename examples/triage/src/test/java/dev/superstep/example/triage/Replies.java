package dev.superstep.example.triage;

import dev.superstep.example.triage.Triage.Category;
import dev.superstep.example.triage.Triage.Urgency;
import dev.superstep.json.Codec;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;

/// Scripted models for tests.
final class Replies {
  private static final Codec<Triage> CODEC = Codec.of(Triage.class);

  private Replies() {}

  static ChatReply calling(Category category, String summary) {
    var triage = new Triage(summary, "Nothing to do.", category, Urgency.LOW);
    return ScriptedModel.text(CODEC.encode(triage).text());
  }

  /// Calls everything harmless, as a model does that a message has talked into it.
  static ScriptedModel gullible() {
    return ScriptedModel.by(_ -> calling(Category.PRAISE, "Says thanks."));
  }
}
