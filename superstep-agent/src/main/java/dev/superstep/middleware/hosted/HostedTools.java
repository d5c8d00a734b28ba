package dev.superstep.middleware.hosted;

import dev.superstep.json.Json;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.HostedTool;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Gives an agent tools that run at the vendor of its model, each by what it does: the vendor that
/// is asked gets its own form. One that has no such tool is not asked.
///
/// ```java
/// Agent.named("news").model(model).middleware(HostedTools.webSearch())
/// ```
///
/// Such calls pass no gate and no approval of yours: the vendor makes them by itself. What was
/// called is told as the event `hosted.used`, with a [HostedUse]; sources are
/// [dev.superstep.message.Citation]s of the message. The fees that vendors ask for some of these
/// calls in addition to tokens count in budgets, by [dev.superstep.budget.HostedFees]. Immutable.
public final class HostedTools implements Middleware {
  /// The event with the use of a turn.
  public static final String USED = "hosted.used";

  private final Map<String, List<HostedTool>> tools;

  private HostedTools(Map<String, List<HostedTool>> tools) {
    this.tools = tools;
  }

  private static HostedTools of(String what, HostedTool... forms) {
    return new HostedTools(Map.of(what, List.of(forms)));
  }

  private static HostedTool form(String vendor, String definition) {
    return new HostedTool(vendor, Json.parse(definition));
  }

  /// A search of the web: Anthropic, OpenAI (by responses), Gemini.
  public static HostedTools webSearch() {
    return of(
        "web search",
        form("anthropic", "{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}"),
        form("openai", "{\"type\":\"web_search\"}"),
        form("gemini", "{\"googleSearch\":{}}"));
  }

  /// Code that the model writes and runs in a sandbox of the vendor: Anthropic, OpenAI (by
  /// responses), Gemini. The files that it makes are [dev.superstep.message.HostedFile]s.
  public static HostedTools codeExecution() {
    var anthropic =
        form("anthropic", "{\"type\":\"code_execution_20250825\",\"name\":\"code_execution\"}");
    return of(
        "code execution",
        anthropic.withBetas("code-execution-2025-08-25"),
        form("openai", "{\"type\":\"code_interpreter\",\"container\":{\"type\":\"auto\"}}"),
        form("gemini", "{\"codeExecution\":{}}"));
  }

  /// A search of files that were uploaded to the vendor: OpenAI (by responses), Gemini.
  ///
  /// @param vendor the scheme of its models' URLs
  /// @param stores the ids of its stores of files
  public static HostedTools fileSearch(String vendor, String... stores) {
    var ids = Json.of(List.of(stores)).text();
    return switch (vendor) {
      case "openai" ->
          of(
              "file search",
              form("openai", "{\"type\":\"file_search\",\"vector_store_ids\":" + ids + "}"));
      case "gemini" ->
          of(
              "file search",
              form("gemini", "{\"fileSearch\":{\"fileSearchStoreNames\":" + ids + "}}"));
      default ->
          throw new HostedToolUnavailable("file search", vendor, List.of("gemini", "openai"));
    };
  }

  /// A server of the Model Context Protocol that the vendor connects with: Anthropic, OpenAI (by
  /// responses). The vendor is told nothing secret by this; for a server that wants a token,
  /// connect with it from here, by `superstep-mcp`, where gates and approvals hold.
  ///
  /// @param label names it for the model
  /// @param address reachable from the internet, by TLS
  /// @param only the tools of the server that the model may call; all if there are none
  public static HostedTools remoteMcp(String label, URI address, String... only) {
    if (!"https".equals(address.getScheme())) {
      throw new IllegalArgumentException(
          "vendors connect with MCP servers by https only, not with " + address);
    }
    var name = Json.string(label).text();
    var url = Json.string(address.toString()).text();
    var allowed = List.of(only);
    return of(
        "remote MCP `" + label + "`", connector(name, url, allowed), remote(name, url, allowed));
  }

  private static HostedTool connector(String name, String url, List<String> only) {
    var configs = new LinkedHashMap<String, Map<String, Boolean>>();
    for (var tool : only) configs.put(tool, Map.of("enabled", true));
    var allowed =
        only.isEmpty()
            ? ""
            : ",\"default_config\":{\"enabled\":false},\"configs\":" + Json.of(configs).text();
    var toolset = "{\"type\":\"mcp_toolset\",\"mcp_server_name\":%s%s}".formatted(name, allowed);
    return form("anthropic", toolset)
        .withFields(
            Json.parse(
                "{\"mcp_servers\":[{\"type\":\"url\",\"url\":%s,\"name\":%s}]}"
                    .formatted(url, name)))
        .withBetas("mcp-client-2025-11-20");
  }

  private static HostedTool remote(String name, String url, List<String> only) {
    var allowed = only.isEmpty() ? "" : ",\"allowed_tools\":" + Json.of(only).text();
    return form(
        "openai",
        "{\"type\":\"mcp\",\"server_label\":%s,\"server_url\":%s,\"require_approval\":\"never\"%s}"
            .formatted(name, url, allowed));
  }

  /// Another tool, by the definition of its vendor.
  public static HostedTools other(String what, HostedTool... forms) {
    return of(what, forms);
  }

  /// These and others.
  public HostedTools and(HostedTools more) {
    var all = new LinkedHashMap<>(tools);
    more.tools.forEach((what, forms) ->
        all.merge(
            what,
            forms,
            (one, other) -> {
              var both = new ArrayList<>(one);
              both.addAll(other);
              return List.copyOf(both);
            }));
    return new HostedTools(all);
  }

  @Override
  public Touches touches() {
    return Touches.PREFIX;
  }

  /// Adds the forms of a vendor to a request.
  ///
  /// @param vendor the scheme of the model's URL
  /// @throws HostedToolUnavailable if it has no form of one of these
  public ChatRequest in(ChatRequest request, String vendor) {
    var all = new ArrayList<>(request.hostedTools());
    tools.forEach((what, forms) -> {
      var own = forms.stream().filter(form -> form.vendor().equals(vendor)).toList();
      if (own.isEmpty()) {
        var others = new TreeSet<String>();
        forms.forEach(form -> others.add(form.vendor()));
        throw new HostedToolUnavailable(what, vendor, List.copyOf(others));
      }
      all.addAll(own);
    });
    return request.withHostedTools(all.toArray(HostedTool[]::new));
  }

  @Override
  public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    var reply = next.call(in(request, context.model().ref().provider()));
    var use = HostedUse.of(context.agent(), reply);
    if (!use.calls().isEmpty() && context.node().hasListeners()) context.node().emit(USED, use);
    return reply;
  }

  @Override
  public String toString() {
    return "HostedTools" + tools.keySet();
  }
}
