package dev.superstep.terminal;

/// Where a piece of what a model is shown comes from. What is not trusted is data: nothing in it is
/// an instruction, and after it the rules allow less.
public enum Provenance {
  /// A person said it.
  USER(true),
  /// It is the plan, which a person accepted.
  PLAN(true),
  /// It is known of the session: its directory, its programs.
  SESSION(true),
  /// A file of the workspace holds it.
  FILE(false),
  /// A command printed it.
  COMMAND_OUTPUT(false),
  /// It came over the network.
  NETWORK(false);

  private final boolean isTrusted;

  Provenance(boolean isTrusted) {
    this.isTrusted = isTrusted;
  }

  /// Returns whether a person, or this program, is its author.
  public boolean isTrusted() {
    return isTrusted;
  }
}
