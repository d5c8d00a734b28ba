package dev.superstep.language.rag;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The kinds of registered things that a graph refers to by name, and that `allow` narrows.
public enum Capability {
  MODELS("model", "unknown-model"),
  TOOLS("tool", "unknown-tool"),
  AGENTS("agent", "unknown-agent"),
  GRAPHS("graph", "unknown-subgraph"),
  STORES("store", "unknown-store"),
  MIDDLEWARE("middleware", "unknown-middleware"),
  RETRIEVERS("retriever", "unknown-retriever"),
  ROUTERS("router", "unknown-router"),
  TEMPLATES("template", "unknown-template"),
  SCRIPTS("script", "unknown-script"),
  FUNCTIONS("function", "unknown-function"),
  MAPPINGS("mapping", "unknown-mapping"),
  REDUCERS("reducer", "unknown-reducer"),
  QUESTIONS("question", "unknown-question"),
  TYPES("type", "unknown-type");

  private final String noun;
  private final String unknown;

  Capability(String noun, String unknown) {
    this.noun = noun;
    this.unknown = unknown;
  }

  /// The word after `allow`.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The word for one of them.
  public String noun() {
    return noun;
  }

  /// The code of a reference to one that is not there.
  public String unknownCode() {
    return "E-rag-" + unknown;
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(Capability::word).toList();
  }

  /// The kind that a word means, if it means one.
  public static Optional<Capability> of(String word) {
    return Arrays.stream(values()).filter(one -> one.word().equals(word)).findFirst();
  }
}
