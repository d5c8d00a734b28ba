package dev.superstep.otel;

/// The outcome of an operation with a span.
enum Outcome {
  COMPLETED("completed"),
  FAILED("failed"),
  /// It waits for an answer.
  INTERRUPTED("interrupted"),
  /// Somebody stopped it.
  STOPPED("stopped"),
  /// Its end was not heard.
  ABANDONED("abandoned");

  private final String text;

  Outcome(String text) {
    this.text = text;
  }

  /// As attributes say it.
  String text() {
    return text;
  }
}
