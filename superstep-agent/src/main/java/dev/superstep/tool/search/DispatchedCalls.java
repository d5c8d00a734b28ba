package dev.superstep.tool.search;

import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Translates calls between the two forms that they have: by `call_tool`, as the model makes them,
/// and by the name of the tool, as all others see them.
final class DispatchedCalls {
  private DispatchedCalls() {}

  /// The arguments of `call_tool`.
  record Dispatch(String name, Json arguments) {}

  /// The call of the tool that is named in a call of `call_tool`; empty if it names none.
  static Optional<ToolCall> unwrapped(ToolCall call) {
    try {
      var dispatch = Json.parse(call.arguments()).as(Dispatch.class);
      return Optional.of(call.with(dispatch.name(), arguments(dispatch.arguments())));
    } catch (SuperstepException _) {
      return Optional.empty();
    }
  }

  // Some models write the object as a text that holds it.
  private static String arguments(Json given) {
    var text = given.text();
    if (!text.startsWith("\"")) return text;
    try {
      return Json.parse(given.as(String.class)).text();
    } catch (SuperstepException _) {
      return text;
    }
  }

  /// Returns a call as the model makes it. Made of the same call, it has the same bytes.
  static ToolCall wrapped(ToolCall call) {
    var name = Json.string(call.tool()).text();
    var arguments = call.arguments().isBlank() ? "{}" : call.arguments();
    boolean isJson = isJson(arguments);
    var value = isJson ? arguments : Json.string(arguments).text();
    return call.with(ToolSearch.CALL, "{\"name\":" + name + ",\"arguments\":" + value + "}");
  }

  private static boolean isJson(String text) {
    try {
      Json.parse(text);
      return true;
    } catch (SuperstepException _) {
      return false;
    }
  }

  /// A conversation as the model has it; empty if no call of it is of such a tool.
  static Optional<List<Message>> wrapped(List<Message> messages, Predicate<String> isDeferred) {
    UnaryOperator<ToolCall> change = call -> isDeferred.test(call.tool()) ? wrapped(call) : call;
    if (messages.stream().noneMatch(message -> concerns(message, isDeferred))) {
      return Optional.empty();
    }
    var all = new ArrayList<Message>(messages.size());
    for (var message : messages) {
      all.add(
          !concerns(message, isDeferred)
              ? message
              : switch (message) {
                case AssistantMessage reply ->
                    reply.withCalls(reply.calls().stream().map(change).toList());
                case ToolMessage told ->
                    new ToolMessage(
                        told.id(),
                        told.callId(),
                        ToolSearch.CALL,
                        told.content(),
                        told.error(),
                        told.artifact());
                default -> message;
              });
    }
    return Optional.of(all);
  }

  private static boolean concerns(Message message, Predicate<String> isDeferred) {
    return switch (message) {
      case AssistantMessage reply ->
          reply.calls().stream().anyMatch(call -> isDeferred.test(call.tool()));
      case ToolMessage told -> isDeferred.test(told.tool());
      default -> false;
    };
  }
}
