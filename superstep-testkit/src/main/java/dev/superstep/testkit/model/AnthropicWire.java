package dev.superstep.testkit.model;

import static dev.superstep.testkit.model.WireFormat.quoted;

import dev.superstep.message.ToolCall;
import java.util.ArrayList;
import java.util.List;

/// Anthropic's messages. Cached tokens are not part of `input_tokens` there.
record AnthropicWire() implements WireFormat {
  @Override
  public List<String> refusals(String path, String body, List<Answer.Says> said) {
    return new AnthropicRules().check(path, body);
  }

  @Override
  public String whole(Answer.Says reply) {
    var blocks = new ArrayList<String>();
    if (!reply.thoughts().isEmpty()) {
      blocks.add(
          "{\"type\":\"thinking\",\"thinking\":%s,\"signature\":\"%s\"}"
              .formatted(quoted(reply.thought()), Answer.Says.SEAL));
    }
    if (!reply.pieces().isEmpty()) {
      blocks.add("{\"type\":\"text\",\"text\":" + quoted(reply.text()) + "}");
    }
    for (var call : reply.calls()) {
      blocks.add(
          "{\"type\":\"tool_use\",\"id\":%s,\"name\":%s,\"input\":%s}"
              .formatted(quoted(call.id()), quoted(call.tool()), call.arguments()));
    }
    return """
    {"id":"msg_1","type":"message","role":"assistant","model":"m","content":[%s],\
    "stop_reason":"%s","usage":{"input_tokens":6,"cache_creation_input_tokens":2,\
    "cache_read_input_tokens":3,"output_tokens":7}}\
    """
        .formatted(String.join(",", blocks), finish(reply));
  }

  @Override
  public List<String> parts(Answer.Says reply) {
    var parts = new ArrayList<String>();
    parts.add(start());
    int index = 0;
    if (!reply.thoughts().isEmpty()) {
      parts.add(block(index, "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}"));
      for (var piece : reply.thoughts()) {
        parts.add(delta(index, "thinking_delta", "thinking", piece));
      }
      parts.add(delta(index, "signature_delta", "signature", Answer.Says.SEAL));
      parts.add(event("content_block_stop", "\"index\":" + index++));
    }
    if (!reply.pieces().isEmpty()) {
      parts.add(block(index, "{\"type\":\"text\",\"text\":\"\"}"));
      for (var piece : reply.pieces()) parts.add(text(index, piece));
      parts.add(event("content_block_stop", "\"index\":" + index++));
    }
    for (var call : reply.calls()) {
      parts.addAll(call(index, call));
      parts.add(event("content_block_stop", "\"index\":" + index++));
    }
    parts.add(
        event(
            "message_delta",
            "\"delta\":{\"stop_reason\":\"%s\"},\"usage\":{\"output_tokens\":7}"
                .formatted(finish(reply))));
    parts.add(event("message_stop", "\"x\":1"));
    return parts;
  }

  private static List<String> call(int index, ToolCall call) {
    var parts = new ArrayList<String>();
    parts.add(
        block(
            index,
            "{\"type\":\"tool_use\",\"id\":%s,\"name\":%s,\"input\":{}}"
                .formatted(quoted(call.id()), quoted(call.tool()))));
    if (call.arguments().equals("{}")) return parts;
    int cut = call.arguments().length() / 2;
    for (var half : List.of(call.arguments().substring(0, cut), call.arguments().substring(cut))) {
      parts.add(
          event(
              "content_block_delta",
              "\"index\":%d,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":%s}"
                  .formatted(index, quoted(half))));
    }
    return parts;
  }

  @Override
  public List<String> opening(String piece) {
    return List.of(start(), block(0, "{\"type\":\"text\",\"text\":\"\"}"), text(0, piece));
  }

  @Override
  public String overload(String message) {
    return event(
        "error",
        "\"error\":{\"type\":\"overloaded_error\",\"message\":%s}".formatted(quoted(message)));
  }

  @Override
  public String error(int status, String message) {
    return "{\"type\":\"error\",\"error\":{\"type\":\"some_error\",\"message\":%s}}"
        .formatted(quoted(message));
  }

  private static String start() {
    return event(
        "message_start",
        """
        "message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],\
        "stop_reason":null,"usage":{"input_tokens":6,"cache_creation_input_tokens":2,\
        "cache_read_input_tokens":3,"output_tokens":1}}\
        """);
  }

  private static String block(int index, String block) {
    return event(
        "content_block_start", "\"index\":%d,\"content_block\":%s".formatted(index, block));
  }

  private static String text(int index, String piece) {
    return delta(index, "text_delta", "text", piece);
  }

  private static String delta(int index, String type, String field, String piece) {
    return event(
        "content_block_delta",
        "\"index\":%d,\"delta\":{\"type\":\"%s\",\"%s\":%s}"
            .formatted(index, type, field, quoted(piece)));
  }

  private static String event(String type, String fields) {
    return "event: %s\ndata: {\"type\":\"%s\",%s}\n\n".formatted(type, type, fields);
  }

  private static String finish(Answer.Says reply) {
    return switch (reply.finish()) {
      case STOP -> "end_turn";
      case TOOL_CALLS -> "tool_use";
      case LENGTH -> "max_tokens";
      case FILTERED -> "refusal";
      case PAUSED -> "pause_turn";
    };
  }
}
