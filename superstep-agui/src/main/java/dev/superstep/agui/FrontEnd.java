package dev.superstep.agui;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.json.Json;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.UserMessage;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatRequest;
import dev.superstep.node.Question;
import dev.superstep.program.RunContext;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The side of an agent that meets the application of its user: tools that the application runs,
/// and what it tells the model. Immutable, safe for many threads.
///
/// ```java
/// record Chart(String title, List<Integer> values) {}
/// var chart = FrontEnd.tool("show_chart", "Shows a chart to the user.", Chart.class);
/// var desk = Agent.named("desk").model(model).middleware(FrontEnd.of(chart)).build();
/// ```
///
/// A call of such a tool is a question of the run, which may wait for as long as the application
/// needs and is answered in whichever process. The model sees only those tools that the application
/// of this run offers, by their names; where none does, as in a run without AG-UI, it sees none.
public final class FrontEnd implements Middleware {
  /// The question of a call that the application runs.
  public static final Question<Call, Result> QUESTION =
      Question.of("front_end_tool", Call.class, Result.class);

  /// The field of the context of a run with what the application sends.
  static final String CONTEXT = "agui";

  private static final int CONTEXT_MAX = 32_000;

  private final List<Tool> tools;
  private final Set<String> names;

  private FrontEnd(List<Tool> tools) {
    this.tools = tools;
    var all = new HashSet<String>();
    for (var tool : tools) all.add(tool.name());
    this.names = Set.copyOf(all);
  }

  /// A call for the application.
  ///
  /// @param tool its name
  /// @param call the id that the model gave the call
  public record Call(
      @JsonProperty("front_end_tool") String tool,
      @JsonProperty("tool_call_id") String call,
      Json arguments) {}

  /// The result of the application.
  ///
  /// @param error why the call failed or was declined; empty if it was not
  public record Result(String content, String error) {}

  /// The front end of an agent.
  ///
  /// @param tools made by [#tool]; none if the application is only to tell its context
  public static FrontEnd of(Tool... tools) {
    return new FrontEnd(List.of(tools));
  }

  /// A tool that the application runs.
  ///
  /// @param name the one by which the application offers it
  /// @param description tells the model when to use it
  /// @param arguments a record, which may be empty
  public static <A extends Record> Tool tool(String name, String description, Class<A> arguments) {
    return Tool.of(name, description, arguments, FrontEnd::asked)
        .withQuestions(QUESTION)
        .withoutTimeout();
  }

  private static ToolResult asked(Record arguments, ToolContext context) {
    var call = new Call(context.tool(), context.callId(), Json.of(arguments));
    var result = context.ask(QUESTION, call);
    return result.error().isEmpty()
        ? ToolResult.of(result.content())
        : ToolResult.error(result.error());
  }

  /// The id of the call that a question is about, or empty if it is another question.
  static String callId(JsonNode asked) {
    boolean isCall = asked.path("front_end_tool").isString();
    return isCall ? asked.path("tool_call_id").asString("") : "";
  }

  @Override
  public String name() {
    return "FrontEnd";
  }

  @Override
  public Touches touches() {
    return Touches.PREFIX;
  }

  @Override
  public List<Tool> tools() {
    return tools;
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    var given =
        context.node().find(RunContext.CONTEXT).map(Trees::of).map(all -> all.path(CONTEXT));
    var offered = new HashSet<String>();
    given.ifPresent(sent -> {
      for (var name : sent.path("tools")) offered.add(name.asString(""));
    });
    var shown =
        request.tools().stream()
            .filter(spec -> !names.contains(spec.name()) || offered.contains(spec.name()))
            .toList();
    var changed = shown.size() == request.tools().size() ? request : request.withTools(shown);
    return given.map(sent -> told(changed, sent.path("context"))).orElse(changed);
  }

  /// With what the application tells, as a part of what its user said last: it has the standing of
  /// the user, not that of the instructions.
  private static ChatRequest told(ChatRequest request, JsonNode entries) {
    if (entries.isEmpty()) return request;
    var text = new StringBuilder("The application of the user tells:");
    for (var entry : entries) {
      text.append("\n- ").append(entry.path("description").asString(""));
      text.append(": ").append(entry.path("value").asString(""));
    }
    if (text.length() > CONTEXT_MAX) text.setLength(CONTEXT_MAX);
    var messages = new ArrayList<Message>(request.messages());
    for (int i = messages.size() - 1; i >= 0; i--) {
      if (!(messages.get(i) instanceof UserMessage said)) continue;
      var content = new ArrayList<Content>();
      content.add(new Content.Text(text.append("\n\n").toString()));
      content.addAll(said.content());
      messages.set(i, new UserMessage(said.id(), content));
      return request.withMessages(messages);
    }
    return request;
  }

  @Override
  public String toString() {
    return "FrontEnd" + names;
  }
}
