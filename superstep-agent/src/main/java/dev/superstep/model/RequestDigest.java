package dev.superstep.model;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import java.util.ArrayList;
import java.util.List;

/// Tells requests of one conversation apart at a cost that does not grow with it: by everything
/// that is asked beside the messages, the stable prefix, what came after the model's last reply,
/// and the number of messages. What came before was part of the digests of earlier requests.
public final class RequestDigest {
  private RequestDigest() {}

  /// In lower-case hexadecimal.
  public static String of(ChatRequest request) {
    var messages = request.messages();
    var told = new ArrayList<Message>(messages.subList(0, request.prefix()));
    told.addAll(tail(messages, request.prefix()));
    if (told.isEmpty()) told.add(messages.getLast());
    var shorter = request.withMessages(told);
    return Digests.sha256(messages.size() + " " + RequestKey.of(shorter).hex());
  }

  /// Of the whole request, in lower-case hexadecimal: equal if a model would be sent the same.
  public static String whole(ChatRequest request) {
    return RequestKey.of(request).hex();
  }

  /// Of a tool call, in lower-case hexadecimal: of the tool and its arguments, whatever the order
  /// of their fields. Two calls with different ids may have the same.
  public static String of(ToolCall call) {
    var arguments = Json.parse(call.arguments().isBlank() ? "{}" : call.arguments());
    return Digests.sha256(call.tool() + "\n" + arguments.canonical().text());
  }

  private static List<Message> tail(List<Message> messages, int from) {
    int at = messages.size();
    while (at > from && !(messages.get(at - 1) instanceof AssistantMessage)) at--;
    return messages.subList(at, messages.size());
  }
}
