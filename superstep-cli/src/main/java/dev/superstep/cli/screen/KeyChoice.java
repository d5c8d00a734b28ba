package dev.superstep.cli.screen;

/// A key that a question takes, and what it does. Immutable.
public record KeyChoice(char key, String label) {
  String text() {
    return key + " " + label;
  }
}
