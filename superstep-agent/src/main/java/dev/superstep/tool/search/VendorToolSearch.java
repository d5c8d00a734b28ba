package dev.superstep.tool.search;

import dev.superstep.json.Json;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.middleware.hosted.HostedTools;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.HostedTool;
import dev.superstep.model.ToolChoice;
import dev.superstep.model.ToolSpec;
import dev.superstep.tool.Tool;
import dev.superstep.tool.Tools;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Many tools that the vendor of the model searches. Each request carries the definitions of all of
/// them, and the vendor keeps them from the model until a search of its own finds them. The model
/// then calls a found tool by its name, like any other tool, so gates, approvals, limits and
/// budgets apply.
///
/// ```java
/// Agent.named("desk").model(model).middleware(ToolSearch.over(tools).byVendor())
/// ```
///
/// - Requests contain the same tools in every turn, so that the prefix that the vendor caches stays
///   byte-identical.
/// - What the vendor found is part of the messages, and goes back to it exactly as it came. Only
///   references to tools that the agent no longer has are left out, since the vendor would refuse
///   them.
/// - Anthropic (since Claude 4.5) and OpenAI (since GPT-5.4, Responses API) have this search. A
///   model of another vendor is not called:
///   [dev.superstep.middleware.hosted.HostedToolUnavailable]. For an older model of these vendors,
///   the request fails with an error of kind `BAD_REQUEST`.
///
/// Immutable; made by [ToolSearch#byVendor].
public final class VendorToolSearch implements Middleware {
  private static final HostedTools WORDS =
      HostedTools.other(
          "search for tools",
          form("anthropic", "tool_search_tool_bm25_20251119", "tool_search_tool_bm25"),
          new HostedTool("openai", Json.parse("{\"type\":\"tool_search\"}")));

  private static final HostedTools PATTERNS =
      HostedTools.other(
          "search for tools by patterns",
          form("anthropic", "tool_search_tool_regex_20251119", "tool_search_tool_regex"));

  private final Tools tools;
  private final Set<String> deferred;
  private final HostedTools search;

  private VendorToolSearch(Tools tools, Set<String> deferred, HostedTools search) {
    this.tools = tools;
    this.deferred = deferred;
    this.search = search;
  }

  static VendorToolSearch over(Tools tools, Set<String> deferred) {
    return new VendorToolSearch(tools, Set.copyOf(deferred), WORDS);
  }

  private static HostedTool form(String vendor, String type, String name) {
    var definition = "{\"type\":\"%s\",\"name\":\"%s\"}".formatted(type, name);
    return new HostedTool(vendor, Json.parse(definition));
  }

  /// Returns a copy where the model searches by regular expressions instead of words: Anthropic
  /// only.
  public VendorToolSearch byPatterns() {
    return new VendorToolSearch(tools, deferred, PATTERNS);
  }

  @Override
  public Touches touches() {
    return Touches.PREFIX;
  }

  @Override
  public List<Tool> tools() {
    var all = new ArrayList<Tool>();
    for (var name : tools.names()) all.add(tools.find(name).orElseThrow());
    return all;
  }

  /// A tool that the model must call is not deferred in that request.
  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    var names = new HashSet<>(request.deferredTools());
    request.tools().stream().map(ToolSpec::name).filter(deferred::contains).forEach(names::add);
    if (request.toolChoice() instanceof ToolChoice.Named(var name)) names.remove(name);
    return request.withDeferredTools(names);
  }

  @Override
  public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    return request.deferredTools().isEmpty()
        ? next.call(request)
        : search.aroundModel(request, context, next);
  }

  @Override
  public String toString() {
    return "VendorToolSearch[" + deferred.size() + " tools]";
  }
}
