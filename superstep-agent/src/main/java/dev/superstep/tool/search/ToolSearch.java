package dev.superstep.tool.search;

import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ToolChoice;
import dev.superstep.model.ToolSpec;
import dev.superstep.name.NameSuggestion;
import dev.superstep.node.Update;
import dev.superstep.schema.JsonSchema;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolError;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import dev.superstep.tool.Tools;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Many tools for an agent whose prompt does not grow with them. The model is not told of them; it
/// looks for them by `search_tools`, and calls what it has found by `call_tool`.
///
/// ```java
/// Agent.named("desk").model(model).tools(few).middleware(ToolSearch.over(Tools.of(hundreds)))
/// ```
///
/// - The request has the same tools in every turn, whatever was found and whatever tools there are,
///   so that the prefix that the vendor caches stays byte-identical over turns, resumptions and
///   processes.
/// - A call by `call_tool` is taken for a call of the tool that it names: gates, approvals, limits,
///   the check of arguments, events and the saved conversation have the tool's own name. Only the
///   model has its own calls as it made them.
/// - A tool can be called from the turn on that follows the search. What was found is part of the
///   agent's state: it is there after a restart and in a fork, and gone after a rewind to before
///   it. A tool that has changed since is looked for again.
/// - A tool that the agent's gate hides is not found.
///
/// Add it before middleware that counts or caches prompts. Immutable; the `with` methods return
/// changed copies.
public final class ToolSearch implements Middleware {
  /// The name of the tool that finds others.
  public static final String SEARCH = "search_tools";

  /// The name of the tool that calls one that was found.
  public static final String CALL = "call_tool";

  private static final Channel<Map<String, String>, Map<String, String>> FOUND =
      Channel.merge("tools-found", String.class);

  private static final int MOST = 5;
  private static final int MOST_MAX = 20;
  private static final int TEXT_MAX = 48_000;
  private static final int QUERY_MAX = 1_000;
  private static final int NAMES_MAX = 20;
  private static final int NEAR_MAX = 3;

  private static final JsonSchema DISPATCH =
      JsonSchema.parse(
          Json.parse(
              """
              {"type":"object","properties":{\
              "name":{"type":"string","description":"The name of a tool that was found."},\
              "arguments":{"type":"object","description":"What that tool takes, by its schema."}},\
              "required":["name","arguments"],"additionalProperties":false}\
              """));

  private final Tools tools;
  private final Set<String> deferred;
  private final ToolRanking ranking;
  private final int most;
  private final String topics;

  private ToolSearch(
      Tools tools, Set<String> deferred, ToolRanking ranking, int most, String topics) {
    this.tools = tools;
    this.deferred = deferred;
    this.ranking = ranking;
    this.most = most;
    this.topics = topics;
  }

  record Query(String query) {}

  private JsonSchema querySchema() {
    return JsonSchema.parse(
        Json.parse(
            """
            {"type":"object","properties":{"query":{"type":"string","description":%s}},\
            "required":["query"],"additionalProperties":false}\
            """
                .formatted(Json.string(ranking.queryDescription()).text())));
  }

  /// A search over these tools, which the agent need not be given otherwise.
  public static ToolSearch over(Tools tools) {
    return new ToolSearch(
        tools, new LinkedHashSet<>(tools.names()), ToolRanking.byWords(), MOST, "");
  }

  /// Returns a copy that also hides, until they are found, tools that the agent has otherwise, such
  /// as those of its sub-agents. A name that it does not have is ignored.
  public ToolSearch withDeferred(String... names) {
    var all = new LinkedHashSet<>(deferred);
    all.addAll(List.of(names));
    return new ToolSearch(tools, all, ranking, most, topics);
  }

  /// Returns a copy that ranks otherwise; by words unless set.
  public ToolSearch withRanking(ToolRanking other) {
    return new ToolSearch(tools, deferred, other, most, topics);
  }

  /// Returns a copy whose searches find at most so many tools; 5 unless set.
  ///
  /// @param results from 1 to 20
  public ToolSearch withMost(int results) {
    if (results < 1 || results > MOST_MAX) {
      throw new IllegalArgumentException("results must be from 1 to 20, was " + results);
    }
    return new ToolSearch(tools, deferred, ranking, results, topics);
  }

  /// Returns a copy that tells the model in each prompt what the tools are about, such as `tax,
  /// calendar, source code`. It is part of the cached prefix, so it should not change.
  public ToolSearch withTopics(String text) {
    return new ToolSearch(tools, deferred, ranking, most, text);
  }

  /// Returns a middleware where the vendor of the model searches these tools, for vendors that do.
  ///
  /// @throws IllegalStateException if this was told how to rank, how many tools to return, or
  ///   topics, which is for the vendor to decide
  public VendorToolSearch byVendor() {
    boolean isPlain = ranking instanceof WordRanking && most == MOST && topics.isBlank();
    if (!isPlain) {
      throw new IllegalStateException(
          "a search by the vendor has no ranking, number of results or topics; remove"
              + " withRanking(), withMost() and withTopics()");
    }
    return VendorToolSearch.over(tools, deferred);
  }

  @Override
  public Touches touches() {
    return Touches.PREFIX;
  }

  @Override
  public List<Channel<?, ?>> channels() {
    return List.of(FOUND);
  }

  @Override
  public List<Tool> tools() {
    var about = topics.isBlank() ? "" : " The tools are about: " + topics.strip() + ".";
    var all = new ArrayList<Tool>();
    all.add(
        Tool.of(
                SEARCH,
                "Finds tools that are not listed here, by what they do or by their name, and tells"
                    + " their arguments. Search before you say that something cannot be done."
                    + about,
                querySchema(),
                ToolSearch::answered)
            .withPolicy(ToolPolicy.readOnly()));
    all.add(
        Tool.of(
                CALL,
                "Calls a tool that `search_tools` has found before.",
                DISPATCH,
                ToolSearch::answered)
            .withPolicy(ToolPolicy.readOnly()));
    for (var name : tools.names()) all.add(tools.find(name).orElseThrow());
    return all;
  }

  private static Object answered(Object arguments, ToolContext context) {
    throw new IllegalStateException("middleware answers calls of `" + context.tool() + "`");
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    var choice = request.toolChoice() instanceof ToolChoice.Named(var name) ? name : "";
    var shown =
        request.tools().stream()
            .filter(tool -> !deferred.contains(tool.name()) || tool.name().equals(choice))
            .toList();
    var changed = shown.size() == request.tools().size() ? request : request.withTools(shown);
    var found = found(context);
    var named = new LinkedHashSet<String>();
    for (var tool : shown) named.add(tool.name());
    // One that is gone was called in the same way, and stays as it was in the conversation.
    var messages =
        DispatchedCalls.wrapped(
            changed.messages(),
            name -> !named.contains(name) && (deferred.contains(name) || found.has(name)));
    return messages.isEmpty() ? changed : changed.withMessages(messages.get());
  }

  @Override
  public ChatReply afterModel(ChatReply reply, AgentContext context) {
    var message = reply.message();
    if (!message.hasToolCalls()) return reply;
    var found = found(context);
    var calls = message.calls().stream().map(call -> resolved(call, found, context)).toList();
    return calls.equals(message.calls()) ? reply : reply.withMessage(message.withCalls(calls));
  }

  /// The call of a found tool by its own name; any other call of a deferred tool by `call_tool`,
  /// which says why it is not made.
  private ToolCall resolved(ToolCall call, FoundTools found, AgentContext context) {
    if (call.tool().equals(CALL)) {
      return DispatchedCalls.unwrapped(call)
          .filter(inner -> isCallable(inner.tool(), found, context))
          .orElse(call);
    }
    if (!deferred.contains(call.tool())) return call;
    return isCallable(call.tool(), found, context) ? call : DispatchedCalls.wrapped(call);
  }

  private boolean isCallable(String name, FoundTools found, AgentContext context) {
    if (name.equals(CALL) || name.equals(SEARCH)) return false;
    var tool = context.tool(name);
    if (tool.isEmpty() || !context.gate().shows(tool.get())) return false;
    return !deferred.contains(name) || found.has(tool.get().spec());
  }

  @Override
  public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
      throws Exception {
    return switch (call.tool()) {
      case SEARCH -> search(Json.parse(call.arguments()).as(Query.class).query(), context);
      case CALL -> refused(call, context);
      default -> next.call(call);
    };
  }

  @Override
  public ChatModel.DeltaListener translateDeltas(ChatModel.DeltaListener to, AgentContext context) {
    var found = found(context);
    return new DispatchedDeltas(to, name -> isCallable(name, found, context));
  }

  private FoundTools found(AgentContext context) {
    return FoundTools.of(context.find(FOUND).orElse(Map.of()), context.conversation());
  }

  private List<ToolSpec> findable(AgentContext context) {
    var specs = new ArrayList<ToolSpec>();
    for (var name : deferred) {
      context.tool(name).filter(context.gate()::shows).map(Tool::spec).ifPresent(specs::add);
    }
    return specs;
  }

  private ToolResult search(String query, AgentContext context) throws InterruptedException {
    var all = findable(context);
    var asked = query.length() > QUERY_MAX ? query.substring(0, QUERY_MAX) : query;
    var ranked = ranking.rank(asked, all);
    var best = ranked.subList(0, Math.min(most, ranked.size()));
    if (best.isEmpty()) return ToolResult.of(nothing(asked, all));
    var digests = new LinkedHashMap<String, String>();
    var text = new StringBuilder();
    for (var tool : best) {
      var entry = entry(tool);
      if (!digests.isEmpty() && text.length() + entry.length() > TEXT_MAX) break;
      text.append(entry);
      digests.put(tool.name(), FoundTools.digest(tool));
    }
    var head =
        "Found %d of %d tools. Call them by `%s`, from your next turn on.\n"
            .formatted(digests.size(), all.size(), CALL);
    return ToolResult.of(head + text)
        .withArtifact(Json.of(new FoundTools.Finds(digests)))
        .withPatch(Update.of(FOUND, digests));
  }

  private static String entry(ToolSpec tool) {
    return "\n- %s: %s\n  arguments: %s\n"
        .formatted(tool.name(), line(tool.description()), tool.parameters().text());
  }

  private static String line(String description) {
    return description.strip().replaceAll("\\s+", " ");
  }

  private static String nothing(String query, List<ToolSpec> all) {
    var names = all.stream().map(ToolSpec::name).toList();
    var near = NameSuggestion.nearest(query.strip(), names, NEAR_MAX);
    if (!near.isEmpty()) {
      return "No tool fits these words. Did you mean %s? Search for that."
          .formatted(String.join(" or ", near));
    }
    if (names.isEmpty()) return "There are no more tools. Answer with those that you have.";
    var some = String.join(", ", names.subList(0, Math.min(NAMES_MAX, names.size())));
    return "No tool fits these words. Search for other words of the same meaning. There are %d tools, such as %s."
        .formatted(names.size(), some);
  }

  /// The answer to a call that names no tool that may be called.
  private ToolResult refused(ToolCall call, AgentContext context) {
    var inner = DispatchedCalls.unwrapped(call);
    if (inner.isEmpty()) {
      return ToolResult.error("Give `name`, and `arguments` as an object.");
    }
    var name = inner.get().tool();
    if (name.equals(SEARCH)) return ToolResult.error("Call `" + SEARCH + "` itself.");
    var visible = findable(context);
    var tool = visible.stream().filter(spec -> spec.name().equals(name)).findFirst();
    if (tool.isPresent()) {
      var why = found(context).has(name) ? "has changed since you found it" : "was not found yet";
      return ToolResult.error(
          "The tool `%s` %s. Search for it by `%s`, and call it in the turn after that."
              .formatted(name, why, SEARCH));
    }
    return ToolResult.error(unknown(name, visible));
  }

  private static String unknown(String name, List<ToolSpec> visible) {
    var names = visible.stream().map(ToolSpec::name).toList();
    var near = NameSuggestion.nearest(name, names, NEAR_MAX);
    var advice =
        near.isEmpty()
            ? Optional.<String>empty()
            : Optional.of("Did you mean `" + String.join("` or `", near) + "`? ");
    return "There is no tool `%s`. %sSearch by `%s`."
        .formatted(ToolError.quote(name), advice.orElse(""), SEARCH);
  }

  @Override
  public String toString() {
    return "ToolSearch[" + deferred.size() + " tools]";
  }
}
