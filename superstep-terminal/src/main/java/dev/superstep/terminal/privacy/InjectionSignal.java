package dev.superstep.terminal.privacy;

import dev.superstep.language.Span;

/// Something in a text that may be an attempt to lead a model astray. It is a hint for people and
/// for the records: what may run is decided by rules, whatever a text says. Immutable.
///
/// @param span in UTF-16 units of the text
public record InjectionSignal(Kind kind, Span span, String reason) {
  /// The kinds of hints.
  public enum Kind {
    /// A mark that separates roles or turns of models.
    CHAT_MARK,
    /// A mark of calls of tools, or of the fence around outputs.
    TOOL_MARK,
    /// A sentence that sets aside what was said before.
    OVERRIDE,
    /// A sentence that asks to keep something from the person.
    SECRECY,
    /// Characters that nobody sees.
    UNSEEN,
    /// A picture or link whose address carries data away.
    CARRIER,
    /// A line that looks as if a program or the person had said it, such as an approval.
    IMITATION,
    /// Letters of another script that look like those beside them.
    LOOKALIKE
  }
}
