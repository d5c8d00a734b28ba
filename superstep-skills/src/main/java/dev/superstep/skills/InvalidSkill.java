package dev.superstep.skills;

import dev.superstep.json.SuperstepException;

/// A folder cannot be used as a skill. The message is fit for a model.
public final class InvalidSkill extends SuperstepException {
  private final String skill;

  /// @param skill the name of its folder
  /// @param why as a sentence, with what to do
  public InvalidSkill(String skill, String why) {
    super(
        "skill.invalid",
        "`%s` cannot be used as a skill: %s".formatted(PlainText.oneLine(skill, 80), why));
    this.skill = skill;
  }

  /// The name of its folder.
  public String skill() {
    return skill;
  }
}
