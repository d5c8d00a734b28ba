package dev.superstep.language.rag;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The kinds of nodes: what a node does when it runs.
public enum NodeKind {
  /// A single call of a model; no tools run.
  MODEL,
  /// The whole loop of an agent: model calls and tool calls until it has an answer.
  AGENT,
  /// Runs the tool calls that are in the state.
  TOOL_EXECUTOR,
  /// Chooses a label from the state, by a registered router.
  ROUTER,
  /// Another graph, as a child run of its own. The word `graph` means it, too.
  SUBGRAPH,
  /// A registered agent, as a child run of its own.
  SUBAGENT,
  /// A script or a code loop of the session language.
  REPL_AGENT,
  /// Asks a question whose answer is one of the options.
  INTERRUPT,
  /// Asks a person: an interrupt with a payload for people.
  HUMAN,
  /// Waits for its sources.
  JOIN,
  /// A registered piece of code.
  FUNCTION;

  /// The word in a source.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// All words, also those that mean the same.
  public static List<String> words() {
    var words = new java.util.ArrayList<>(Arrays.stream(values()).map(NodeKind::word).toList());
    words.add("graph");
    return List.copyOf(words);
  }

  /// The kind that a word means, if it means one.
  public static Optional<NodeKind> of(String word) {
    if (word.equals("graph")) return Optional.of(SUBGRAPH);
    return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
  }

  /// Returns whether nodes of this kind run a model.
  public boolean isModelled() {
    return this == MODEL || this == AGENT || this == SUBAGENT || this == REPL_AGENT;
  }

  /// Returns whether nodes of this kind ask somebody and wait.
  public boolean asks() {
    return this == INTERRUPT || this == HUMAN;
  }

  /// Returns whether a node of this kind ends with a label by itself, so that it needs no router.
  public boolean isLabelled() {
    return isModelled() || asks();
  }
}
