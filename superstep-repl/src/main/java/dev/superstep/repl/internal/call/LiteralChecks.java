package dev.superstep.repl.internal.call;

import dev.superstep.language.Suggestion;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.host.ShownCall;
import dev.superstep.repl.host.ShownCall.Refusal;
import dev.superstep.repl.internal.json.HostJson;
import dev.superstep.schema.JsonSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Looks at calls before their cell runs: names that are not granted, and arguments of tools that
/// do not fit their schema, as far as both are literals. Only granted names are suggested.
final class LiteralChecks {
  private final Grants grants;
  private final CallSession session;
  private final Map<String, JsonSchema> schemas = new HashMap<>();

  LiteralChecks(Grants grants, CallSession session) {
    this.grants = grants;
    this.session = session;
  }

  /// The functions with their checks.
  List<HostFunction> checked(List<HostFunction> functions) {
    return functions.stream()
        .map(function -> function.checking(call -> refusals(function.signature().name(), call)))
        .toList();
  }

  private List<Refusal> refusals(String function, ShownCall call) {
    // A cell of an earlier version ran as it was.
    if (!session.isChecking()) return List.of();
    return switch (function) {
      case "tool" ->
          tool(
              call.arguments().get("name"),
              call.arguments().getOrDefault("arguments", HostValue.NOTHING),
              call.isWhole());
      case "tool_call" -> request(call.arguments().get("request"));
      case "tool_batch", "tool_call_batched" -> requests(call.arguments().get("requests"));
      case "llm_query",
          "llm",
          "model_query",
          "llm_batch",
          "llm_query_batched",
          "model_query_batched" ->
          known("model", call.arguments().get("model"), grants.models().keySet());
      case "agent", "agent_query" ->
          known("agent", call.arguments().get("name"), grants.agents().keySet());
      case "graph_run" ->
          grants.language().isPresent()
              ? List.of()
              : known("graph", call.arguments().get("name"), grants.graphs().keySet());
      case "store_get", "store_put", "store_delete", "store_search" ->
          known("store", call.arguments().get("store"), grants.stores().keySet());
      default -> List.of();
    };
  }

  private static List<Refusal> known(String kind, @Nullable HostValue name, Set<String> granted) {
    if (!(name instanceof HostValue.Words(var text)) || granted.contains(text)) return List.of();
    return List.of(
        new Refusal(
            "unknown-" + kind,
            "there is no %s `%s`".formatted(kind, text),
            Suggestion.didYouMean(text, new TreeSet<>(granted))));
  }

  private List<Refusal> requests(@Nullable HostValue requests) {
    if (!(requests instanceof HostValue.Items(var items))) return List.of();
    var all = new ArrayList<Refusal>();
    for (var item : items) all.addAll(request(item));
    return all;
  }

  private List<Refusal> request(@Nullable HostValue request) {
    if (!(request instanceof HostValue.Entries(var fields))) return List.of();
    return tool(fields.get("tool"), fields.getOrDefault("arguments", HostValue.NOTHING), true);
  }

  private List<Refusal> tool(@Nullable HostValue named, HostValue arguments, boolean isWhole) {
    if (!(named instanceof HostValue.Words(var name))) return List.of();
    var tool = grants.tools().get(name);
    if (tool == null) return known("tool", named, grants.tools().keySet());
    var given =
        arguments instanceof HostValue.Entries ? arguments : new HostValue.Entries(Map.of());
    var schema = schemas.computeIfAbsent(name, _ -> JsonSchema.parse(tool.spec().parameters()));
    var all = new ArrayList<Refusal>();
    for (var violation : schema.check(HostJson.of(given))) {
      // Of a call that is shown in part, only what its literals say can be judged.
      if (!isWhole && violation.path().isEmpty()) continue;
      all.add(
          new Refusal(
              "tool-arguments",
              "the arguments do not fit tool `%s`: %s".formatted(name, violation.sentence()),
              ""));
    }
    return all;
  }
}
