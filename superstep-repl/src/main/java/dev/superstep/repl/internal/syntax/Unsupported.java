package dev.superstep.repl.internal.syntax;

import dev.superstep.language.Diagnostic;
import java.util.Map;

/// The parts of Python that the language leaves out, with what to write instead.
final class Unsupported {
  private static final Map<String, String> HELP =
      Map.of(
          "class", "use a dict for data and functions for behaviour",
          "with", "there is nothing to close: call the function and use its result",
          "yield", "collect the values in a list and return it, or use a generator expression",
          "async", "calls block here; use a batch function to run several at once",
          "await", "calls block here: leave out `await`",
          "global", "return the value and assign it outside, or change a list or dict in place",
          "match", "use if and elif");

  private Unsupported() {}

  static Diagnostic keyword(Token token) {
    return RagshCode.UNSUPPORTED
        .at(token.span(), "`" + token.text() + "` is not part of this language")
        .help(HELP.getOrDefault(token.text(), ""));
  }
}
