package dev.superstep.testkit.model;

import static dev.superstep.testkit.model.WireFormat.quoted;

import dev.superstep.message.ToolCall;
import java.util.ArrayList;
import java.util.List;

/// OpenAI's responses: a list of items, whose beginning, pieces and end a stream contains.
record ResponsesWire() implements WireFormat {
  private static final String USAGE =
      """
      {"input_tokens":11,"input_tokens_details":{"cached_tokens":3},"output_tokens":7,\
      "output_tokens_details":{"reasoning_tokens":2},"total_tokens":18}\
      """;

  @Override
  public List<String> refusals(String path, String body, List<Answer.Says> said) {
    return new ResponsesRules().check(path, body);
  }

  @Override
  public String whole(Answer.Says reply) {
    return response(reply, items(reply));
  }

  private static List<String> items(Answer.Says reply) {
    var items = new ArrayList<String>();
    if (!reply.thoughts().isEmpty()) items.add(reasoning(reply));
    if (!reply.pieces().isEmpty()) items.add(message(reply.text()));
    for (var call : reply.calls()) items.add(call(call, call.arguments()));
    return items;
  }

  @Override
  public List<String> parts(Answer.Says reply) {
    var parts = new ArrayList<String>();
    parts.add(event("response.created", "\"response\":" + startEvent()));
    int index = 0;
    if (!reply.thoughts().isEmpty()) {
      for (var piece : reply.thoughts()) {
        parts.add(
            event(
                "response.reasoning_summary_text.delta",
                "\"item_id\":\"rs_1\",\"output_index\":0,\"summary_index\":0,\"delta\":"
                    + quoted(piece)));
      }
      parts.add(done(index++, reasoning(reply)));
    }
    if (!reply.pieces().isEmpty()) {
      for (var piece : reply.pieces()) parts.add(text(index, piece));
      parts.add(done(index++, message(reply.text())));
    }
    for (var call : reply.calls()) cutCall(parts, index++, call);
    var end =
        reply.finish() == dev.superstep.model.ChatReply.Finish.LENGTH ? "incomplete" : "completed";
    parts.add(event("response." + end, "\"response\":" + response(reply, items(reply))));
    return parts;
  }

  private static void cutCall(List<String> parts, int index, ToolCall call) {
    parts.add(
        event(
            "response.output_item.added",
            "\"output_index\":%d,\"item\":%s".formatted(index, call(call, ""))));
    int cut = call.arguments().length() / 2;
    for (var half : List.of(call.arguments().substring(0, cut), call.arguments().substring(cut))) {
      parts.add(
          event(
              "response.function_call_arguments.delta",
              "\"item_id\":\"fc_1\",\"output_index\":%d,\"delta\":%s"
                  .formatted(index, quoted(half))));
    }
    parts.add(done(index, call(call, call.arguments())));
  }

  @Override
  public List<String> opening(String piece) {
    return List.of(event("response.created", "\"response\":" + startEvent()), text(0, piece));
  }

  @Override
  public String overload(String message) {
    return event(
        "error",
        "\"code\":\"server_error\",\"message\":%s,\"param\":null".formatted(quoted(message)));
  }

  @Override
  public String error(int status, String message) {
    return "{\"error\":{\"message\":" + quoted(message) + ",\"type\":\"some_error\"}}";
  }

  private static String startEvent() {
    return """
    {"id":"r1","object":"response","created_at":1,"model":"m","status":"in_progress",\
    "error":null,"output":[],"usage":null}\
    """;
  }

  private static String response(Answer.Says reply, List<String> items) {
    var status =
        switch (reply.finish()) {
          case STOP, TOOL_CALLS, PAUSED -> "\"completed\",\"incomplete_details\":null";
          case LENGTH -> "\"incomplete\",\"incomplete_details\":{\"reason\":\"max_output_tokens\"}";
          case FILTERED -> "\"incomplete\",\"incomplete_details\":{\"reason\":\"content_filter\"}";
        };
    return """
    {"id":"r1","object":"response","created_at":1,"model":"m","status":%s,"error":null,\
    "output":[%s],"usage":%s}\
    """
        .formatted(status, String.join(",", items), USAGE);
  }

  private static String reasoning(Answer.Says reply) {
    return """
    {"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":%s}],\
    "encrypted_content":"%s"}\
    """
        .formatted(quoted(reply.thought()), Answer.Says.SEAL);
  }

  private static String message(String text) {
    return """
    {"id":"msg_1","type":"message","role":"assistant","status":"completed",\
    "content":[{"type":"output_text","text":%s,"annotations":[]}]}\
    """
        .formatted(quoted(text));
  }

  private static String call(ToolCall call, String arguments) {
    return """
    {"id":"fc_1","type":"function_call","status":"completed","call_id":%s,"name":%s,\
    "arguments":%s}\
    """
        .formatted(quoted(call.id()), quoted(call.tool()), quoted(arguments));
  }

  private static String text(int index, String piece) {
    return event(
        "response.output_text.delta",
        "\"item_id\":\"msg_1\",\"output_index\":%d,\"content_index\":0,\"delta\":%s"
            .formatted(index, quoted(piece)));
  }

  private static String done(int index, String item) {
    return event(
        "response.output_item.done", "\"output_index\":%d,\"item\":%s".formatted(index, item));
  }

  private static String event(String type, String fields) {
    return "event: %s\ndata: {\"type\":\"%s\",\"sequence_number\":1,%s}\n\n"
        .formatted(type, type, fields);
  }
}
