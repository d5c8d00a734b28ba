package dev.superstep.cli.conversation;

import dev.superstep.terminal.risk.RiskLevel;
import java.util.Optional;

/// The options that commands of the terminal workflow share. Immutable.
///
/// @param model the URL of the model, if an option names it
/// @param policy a file of rules in addition to those of the user
/// @param bounds what conversations may do unasked, and cost
/// @param consents whether the user agrees here that texts of the folder go to the model's vendor
/// @param looks how people are asked and told
public record TerminalOptions(
    Optional<String> model, Optional<String> policy, Bounds bounds, boolean consents, Looks looks) {
  /// The bounds of conversations.
  ///
  /// @param maxRisk the danger up to which commands run without a question
  /// @param maxCalls the requests to models that a conversation may make
  public record Bounds(Optional<RiskLevel> maxRisk, Optional<Integer> maxCalls) {
    /// Those that hold unless others are given.
    public static final Bounds STANDARD = new Bounds(Optional.empty(), Optional.empty());
  }

  /// The ways of asking and telling.
  ///
  /// @param json whether events go to standard output, one JSON object a line
  /// @param plain whether a screen only adds lines
  /// @param asks whether anybody may be asked
  /// @param debug whether stack traces are wanted
  public record Looks(boolean json, boolean plain, boolean asks, boolean debug) {}
}
