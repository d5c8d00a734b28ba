package dev.superstep.model.wire;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ToolChoice;
import dev.superstep.model.ToolSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A request in a form that vendors accept, and what leads its reply back: tools have names by
/// [ToolNames], and schemas a top level by [WrappedSchema]. Immutable.
///
/// @param names the tools' own names by those that are sent
/// @param wrappedTools the sent names of tools whose arguments are one field
/// @param wrapsAnswer whether the answer is one field
record AcceptedRequest(
    ChatRequest request, Map<String, String> names, Set<String> wrappedTools, boolean wrapsAnswer) {

  /// The form of a request.
  static AcceptedRequest of(ChatRequest request) {
    boolean wrapsAnswer =
        request.format() instanceof ResponseFormat.JsonSchema(_, var schema)
            && WrappedSchema.isNeeded(schema);
    var names = new HashMap<String, String>();
    var wrapped = new HashSet<String>();
    for (var tool : request.tools()) {
      var sent = ToolNames.sent(tool.name());
      if (!sent.equals(tool.name())) names.put(sent, tool.name());
      if (WrappedSchema.isNeeded(tool.parameters())) wrapped.add(sent);
    }
    var accepted = new AcceptedRequest(request, names, wrapped, wrapsAnswer);
    boolean isAccepted = names.isEmpty() && wrapped.isEmpty() && !wrapsAnswer;
    if (isAccepted && request.messages().stream().noneMatch(AcceptedRequest::isRenamed)) {
      return accepted;
    }
    return new AcceptedRequest(accepted.rewritten(), names, wrapped, wrapsAnswer);
  }

  private static boolean isRenamed(Message message) {
    return switch (message) {
      case AssistantMessage reply ->
          reply.calls().stream().anyMatch(call -> isRenamed(call.tool()));
      case ToolMessage answer -> isRenamed(answer.tool());
      case SystemMessage _, UserMessage _ -> false;
    };
  }

  private static boolean isRenamed(String name) {
    return !ToolNames.sent(name).equals(name);
  }

  private ChatRequest rewritten() {
    var tools = new ArrayList<ToolSpec>(request.tools().size());
    for (var tool : request.tools()) {
      var sent = ToolNames.sent(tool.name());
      var schema = tool.parameters();
      tools.add(
          new ToolSpec(
              sent,
              tool.description(),
              wrappedTools.contains(sent) ? WrappedSchema.of(schema) : schema));
    }
    var messages = request.messages().stream().map(this::rewritten).toList();
    var deferred = new HashSet<String>();
    for (var name : request.deferredTools()) deferred.add(ToolNames.sent(name));
    var made =
        request.withMessages(messages).withTools(List.copyOf(tools)).withDeferredTools(deferred);
    if (request.toolChoice() instanceof ToolChoice.Named(var name)) {
      made = made.withToolChoice(new ToolChoice.Named(ToolNames.sent(name)));
    }
    return wrapsAnswer
            && request.format() instanceof ResponseFormat.JsonSchema(var name, var schema)
        ? made.withFormat(new ResponseFormat.JsonSchema(name, WrappedSchema.of(schema)))
        : made;
  }

  private Message rewritten(Message message) {
    return switch (message) {
      case AssistantMessage reply when reply.hasToolCalls() ->
          reply.withCalls(reply.calls().stream().map(this::rewritten).toList());
      case ToolMessage answer ->
          new ToolMessage(
              answer.id(),
              answer.callId(),
              ToolNames.sent(answer.tool()),
              answer.content(),
              answer.error(),
              answer.artifact());
      case SystemMessage _, UserMessage _, AssistantMessage _ -> message;
    };
  }

  private ToolCall rewritten(ToolCall call) {
    var sent = ToolNames.sent(call.tool());
    var arguments =
        wrappedTools.contains(sent) ? WrappedSchema.wrapped(call.arguments()) : call.arguments();
    return call.with(sent, arguments);
  }

  /// The tool's own name.
  String name(String sent) {
    return names.getOrDefault(sent, sent);
  }
}
