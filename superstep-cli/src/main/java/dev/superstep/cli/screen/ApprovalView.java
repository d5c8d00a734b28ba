package dev.superstep.cli.screen;

import java.util.List;

/// Everything that a person sees before a command runs. Texts by models are only in `script`,
/// `prose` and the quotes. Immutable.
///
/// @param script the command, byte for byte
/// @param head its level and where it would run
/// @param warnings sentences of ours: what cannot be undone, what the tier does not hold, what the
///   command follows from
/// @param findings reasons for the level
/// @param facts what the command would do
/// @param prose what the model says about it
/// @param offers the answers beside yes and no
public record ApprovalView(
    String script,
    Head head,
    List<String> warnings,
    List<Quote> findings,
    List<Quote> facts,
    Prose prose,
    Offers offers) {
  public ApprovalView {
    warnings = List.copyOf(warnings);
    findings = List.copyOf(findings);
    facts = List.copyOf(facts);
  }

  /// The line above the command.
  ///
  /// @param step its place and what it is for, as the model planned it; the two are shown together
  /// @param number of the command in its step, from 1
  /// @param level as in `medium`
  /// @param tier where it would run, with what that does
  public record Head(Step step, int number, String level, String tier) {}

  /// The step that a command is for.
  ///
  /// @param place as in `Step 1 of 2`
  /// @param description by a model
  public record Step(String place, String description) {}

  /// A sentence of ours about a part of the command.
  ///
  /// @param quoted that part, or another text that is not ours; may be empty
  public record Quote(String text, String quoted, Style style) {}

  /// Words of the model about the command, which nobody has checked.
  ///
  /// @param text may be empty
  /// @param isAsked whether a person asked the model for it
  public record Prose(String text, boolean isAsked) {}

  /// The answers that are open.
  ///
  /// @param toType what has to be typed to approve, because one key is too easy; empty if a key is
  ///   enough
  /// @param alternatives whether there is a next alternative or the model may be asked for one
  /// @param stricter the next stricter tier; empty if there is none
  /// @param always the rule that would be added
  public record Offers(String toType, boolean alternatives, String stricter, Always always) {}

  /// A rule that would allow the command from now on.
  ///
  /// @param rule as it would be written; empty if none is offered
  /// @param why the reason for that
  /// @param alsoAllowed commands of before that it would allow, too
  public record Always(String rule, String why, List<String> alsoAllowed, List<Scope> scopes) {
    public Always {
      alsoAllowed = List.copyOf(alsoAllowed);
      scopes = List.copyOf(scopes);
    }

    /// No rule.
    public static Always none(String why) {
      return new Always("", why, List.of(), List.of());
    }
  }

  /// A reach that a rule may have.
  public record Scope(char key, String label) {}
}
