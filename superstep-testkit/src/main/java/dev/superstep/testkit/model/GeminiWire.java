package dev.superstep.testkit.model;

import static dev.superstep.testkit.model.WireFormat.quoted;

import dev.superstep.message.ToolCall;
import java.util.ArrayList;
import java.util.List;

/// Google's `generateContent`. Thoughts are not part of `candidatesTokenCount` there.
record GeminiWire() implements WireFormat {
  private static final String USAGE =
      """
      {"promptTokenCount":11,"cachedContentTokenCount":3,"candidatesTokenCount":5,\
      "thoughtsTokenCount":2,"totalTokenCount":18}\
      """;

  @Override
  public List<String> refusals(String path, String body, List<Answer.Says> said) {
    return new GeminiRules().check(path, body);
  }

  @Override
  public boolean isStream(String path, String body) {
    return path.contains("streamGenerateContent");
  }

  @Override
  public String whole(Answer.Says reply) {
    var parts = new ArrayList<String>();
    if (!reply.thoughts().isEmpty()) {
      parts.add(
          thought(reply.thought(), ",\"thoughtSignature\":\"%s\"".formatted(Answer.Says.SEAL)));
    }
    if (!reply.pieces().isEmpty()) parts.add(text(reply.text()));
    parts.addAll(calls(reply));
    return chunk(parts, finish(reply));
  }

  @Override
  public List<String> parts(Answer.Says reply) {
    var parts = new ArrayList<String>();
    for (int i = 0; i < reply.thoughts().size(); i++) {
      boolean isLast = i == reply.thoughts().size() - 1;
      var seal = isLast ? ",\"thoughtSignature\":\"%s\"".formatted(Answer.Says.SEAL) : "";
      parts.add(event(chunk(List.of(thought(reply.thoughts().get(i), seal)), "")));
    }
    for (var piece : reply.pieces()) parts.add(event(chunk(List.of(text(piece)), "")));
    for (var call : calls(reply)) parts.add(event(chunk(List.of(call), "")));
    parts.add(event(chunk(List.of(), finish(reply))));
    return parts;
  }

  @Override
  public List<String> opening(String piece) {
    return List.of(event(chunk(List.of(text(piece)), "")));
  }

  @Override
  public String overload(String message) {
    return event(error(503, message));
  }

  @Override
  public String error(int status, String message) {
    return "{\"error\":{\"code\":%d,\"message\":%s,\"status\":\"SOME_STATUS\"}}"
        .formatted(status, quoted(message));
  }

  private static List<String> calls(Answer.Says reply) {
    return reply.calls().stream()
        .map(call ->
            "{\"functionCall\":{\"id\":%s,\"name\":%s,\"args\":%s}%s}"
                .formatted(quoted(call.id()), quoted(call.tool()), call.arguments(), sealOf(call)))
        .toList();
  }

  private static String sealOf(ToolCall call) {
    return call.seal()
        .map(seal -> seal.data().text())
        .map(object -> "," + object.substring(1, object.length() - 1))
        .orElse("");
  }

  private static String thought(String text, String seal) {
    return "{\"thought\":true,\"text\":" + quoted(text) + seal + "}";
  }

  private static String text(String text) {
    return "{\"text\":" + quoted(text) + "}";
  }

  private static String chunk(List<String> parts, String finish) {
    var reason = finish.isEmpty() ? "" : ",\"finishReason\":\"" + finish + "\"";
    return """
    {"candidates":[{"content":{"role":"model","parts":[%s]}%s,"index":0}],\
    "usageMetadata":%s,"modelVersion":"m","responseId":"r1"}\
    """
        .formatted(String.join(",", parts), reason, USAGE);
  }

  private static String event(String json) {
    return "data: " + json + "\r\n\r\n";
  }

  private static String finish(Answer.Says reply) {
    return switch (reply.finish()) {
      case STOP, TOOL_CALLS, PAUSED -> "STOP";
      case LENGTH -> "MAX_TOKENS";
      case FILTERED -> "SAFETY";
    };
  }
}
