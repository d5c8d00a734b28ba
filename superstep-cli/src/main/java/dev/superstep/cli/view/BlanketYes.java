package dev.superstep.cli.view;

/// The questions that a command approves without naming them.
public enum BlanketYes {
  /// Each question waits for an answer of its own.
  NONE,
  /// `--yes`: all that are answered by yes or no, but those that are risky.
  ORDINARY,
  /// `--yes-risky`: also risky ones, if they were open when the command began. Each is named.
  OPEN_RISKY
}
