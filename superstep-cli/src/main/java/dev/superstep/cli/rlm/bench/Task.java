package dev.superstep.cli.rlm.bench;

import java.util.Map;

/// A generated question about a generated text, with its exact answer. Immutable.
///
/// @param ask the sentence that says what to do
/// @param about the sentences that explain the text to somebody who has not seen it
/// @param parts what the programs of a scripted root are filled with
record Task(String text, String about, String ask, Map<String, String> parts, Truth truth) {
  Task {
    parts = Map.copyOf(parts);
  }

  String question() {
    return about + " " + ask;
  }
}
