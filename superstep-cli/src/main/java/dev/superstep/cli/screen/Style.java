package dev.superstep.cli.screen;

/// The looks of a line. Nothing is said by a look alone: without colours the words are the same.
public enum Style {
  PLAIN(""),
  STRONG("1"),
  FAINT("2"),
  GOOD("32"),
  WARNING("33"),
  DANGER("1;31");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /// Returns a line between the sequences that begin and end this look. Text by others has to be
  /// made safe before.
  public String of(String text) {
    return code.isEmpty() || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
