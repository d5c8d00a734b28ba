package dev.superstep.rag.component;

import java.util.List;

/// The question of a node of kind `interrupt` or `human`, as whoever answers sees it. Immutable.
///
/// @param prompt the text, with the values of channels in it
/// @param options the possible answers; empty if any will do
/// @param node the node that asks
public record AskedQuestion(String prompt, List<String> options, String node) {
  public AskedQuestion {
    options = List.copyOf(options);
  }
}
