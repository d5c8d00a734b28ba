package dev.superstep.bench;

import java.util.Arrays;
import java.util.Optional;

/// A system that is measured: Superstep, the limit without and with guarantees, or a peer in its
/// published version.
enum Contender {
  LIMIT("limit", "plain Java, by hand"),
  /// With what a checkpointer promises; only where threads are kept.
  GUARDED_LIMIT("limit-guarded", "plain Java and SQL, by hand: lease, fencing, order, history"),
  SUPERSTEP("superstep", "this source tree"),
  LANGGRAPH4J("langgraph4j", "org.bsc.langgraph4j:langgraph4j-core 1.8.17"),
  SPRING_AI_ALIBABA(
      "spring-ai-alibaba", "com.alibaba.cloud.ai:spring-ai-alibaba-graph-core 1.1.2.2"),
  LANGCHAIN4J("langchain4j", "dev.langchain4j:langchain4j 1.18.1"),
  ADK("adk", "com.google.adk:google-adk 1.8.0"),
  LANGGRAPHJS("langgraphjs", "@langchain/langgraph 1.7.3"),
  LANGGRAPH("langgraph", "langgraph 1.2.22 (PyPI)");

  private final String id;
  private final String version;

  Contender(String id, String version) {
    this.id = id;
    this.version = version;
  }

  /// Its name in options and results.
  String id() {
    return id;
  }

  /// What exactly it is.
  String version() {
    return version;
  }

  boolean isLimit() {
    return this == LIMIT || this == GUARDED_LIMIT;
  }

  boolean isPeer() {
    return this != SUPERSTEP && !isLimit();
  }

  static Optional<Contender> named(String id) {
    return Arrays.stream(values()).filter(system -> system.id.equals(id)).findFirst();
  }
}
