package dev.superstep.language.check;

import dev.superstep.language.Source;
import dev.superstep.language.rag.Capability;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/// The names that are registered in tests.
public final class Registered {
  public static final Names NAMES = Names.of(names());

  private Registered() {}

  private static Map<Capability, Set<String>> names() {
    var names = new EnumMap<Capability, Set<String>>(Capability.class);
    names.put(Capability.MODELS, Set.of("small", "large"));
    names.put(Capability.TOOLS, Set.of("policy_lookup", "notify", "refund"));
    names.put(Capability.AGENTS, Set.of("fact_checker"));
    names.put(Capability.GRAPHS, Set.of("fraud_score"));
    names.put(Capability.STORES, Set.of("main"));
    names.put(Capability.MIDDLEWARE, Set.of("retrying"));
    names.put(Capability.RETRIEVERS, Set.of("docs"));
    names.put(Capability.ROUTERS, Set.of("by_confidence", "by_size", "spread"));
    names.put(Capability.TEMPLATES, Set.of("intake"));
    names.put(Capability.SCRIPTS, Set.of("probe.ragsh"));
    names.put(Capability.FUNCTIONS, Set.of("score"));
    names.put(Capability.MAPPINGS, Set.of("per_question", "to_state"));
    names.put(Capability.REDUCERS, Set.of("usage_sum"));
    names.put(Capability.QUESTIONS, Set.of("refund"));
    names.put(Capability.TYPES, Set.of("Ticket", "demo.Finding"));
    return names;
  }

  /// Compiles a source that a person wrote, with these names.
  public static Compilation compile(String text) {
    return Blueprints.compile(Source.of("test.rag", text), NAMES, CheckPolicy.file("test.rag"));
  }
}
