package dev.superstep.cli.host;

/// A confirmation by the user of something that cannot be undone. For one thread at a time.
///
/// @param given whether the command line says so
public record Confirmation(Terminal terminal, boolean given) {
  /// Asks the user, unless the command line has the answer.
  ///
  /// @throws ApprovalNeeded if nobody is there to be asked
  public boolean confirmed(String question) {
    if (given) return true;
    if (!terminal.asks()) {
      throw new ApprovalNeeded(
          "threads.not-agreed",
          SafeText.line(question) + " Nobody is here to be asked; say --yes if you mean it.");
    }
    var typed =
        terminal.ask(SafeText.line(question) + " [y]es / [n]o: ").map(String::strip).orElse("");
    return typed.equalsIgnoreCase("y") || typed.equalsIgnoreCase("yes");
  }
}
