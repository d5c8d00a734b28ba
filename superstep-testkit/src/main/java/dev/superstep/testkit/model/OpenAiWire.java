package dev.superstep.testkit.model;

import static dev.superstep.testkit.model.WireFormat.quoted;

import dev.superstep.message.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// OpenAI's chat completions.
///
/// @param kind whose they are
record OpenAiWire(OpenAiRules.Kind kind) implements WireFormat {
  private static final String USAGE =
      """
      {"prompt_tokens":11,"completion_tokens":7,"total_tokens":18,\
      "prompt_tokens_details":{"cached_tokens":3},\
      "completion_tokens_details":{"reasoning_tokens":2}}\
      """;

  @Override
  public List<String> refusals(String path, String body, List<Answer.Says> said) {
    var thoughts =
        kind == OpenAiRules.Kind.SERVER ? OpenAiRules.thoughts(said) : Map.<String, String>of();
    return new OpenAiRules(kind, thoughts).check(path, body);
  }

  // Mistral's streamed tool calls come in one part.
  private boolean wholeCalls() {
    return kind == OpenAiRules.Kind.MISTRAL;
  }

  @Override
  public String whole(Answer.Says reply) {
    var text = reply.pieces().isEmpty() ? "null" : quoted(reply.text());
    if (!reply.thoughts().isEmpty()) text = withThought(reply.thought(), text, reply);
    var calls = new ArrayList<String>();
    for (var call : reply.calls()) {
      calls.add(
          """
          {"id":%s,"type":"function","function":{"name":%s,"arguments":%s}}\
          """
              .formatted(quoted(call.id()), quoted(call.tool()), quoted(call.arguments())));
    }
    var toolCalls = calls.isEmpty() ? "" : ",\"tool_calls\":[" + String.join(",", calls) + "]";
    return """
    {"id":"r1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,\
    "message":{"role":"assistant","content":%s%s},"finish_reason":"%s"}],"usage":%s}\
    """
        .formatted(text, toolCalls, finish(reply), USAGE);
  }

  @Override
  public List<String> parts(Answer.Says reply) {
    var parts = new ArrayList<String>();
    for (var piece : reply.thoughts()) {
      var thought =
          wholeCalls() ? "{\"content\":[%s]}" : "{\"content\":null,\"reasoning_content\":%s}";
      parts.add(delta(thought.formatted(wholeCalls() ? chunk(piece) : quoted(piece)), ""));
    }
    for (var piece : reply.pieces()) parts.add(delta("{\"content\":" + quoted(piece) + "}", ""));
    if (wholeCalls() && !reply.calls().isEmpty()) {
      var all = new ArrayList<String>();
      for (int i = 0; i < reply.calls().size(); i++) {
        var call = reply.calls().get(i);
        all.add(call(i, call, call.arguments()));
      }
      parts.add(delta("{\"tool_calls\":[" + String.join(",", all) + "]}", ""));
    } else {
      for (int i = 0; i < reply.calls().size(); i++) cutCall(parts, i, reply.calls().get(i));
    }
    var usage = ",\"usage\":" + USAGE;
    if (wholeCalls()) {
      parts.add(delta("{\"content\":\"\"}", finish(reply), usage));
    } else {
      parts.add(delta("{}", finish(reply)));
      parts.add("data: {\"id\":\"r1\",\"model\":\"m\",\"choices\":[]" + usage + "}\n\n");
    }
    parts.add("data: [DONE]\n\n");
    return parts;
  }

  // Mistral tells thoughts as chunks of the content, servers beside it.
  private String withThought(String thought, String text, Answer.Says reply) {
    if (!wholeCalls()) return text + ",\"reasoning_content\":" + quoted(thought);
    var said = reply.pieces().isEmpty() ? "" : ",{\"type\":\"text\",\"text\":" + text + "}";
    return "[" + chunk(thought) + said + "]";
  }

  private static String chunk(String thought) {
    return "{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":%s}]}"
        .formatted(quoted(thought));
  }

  private static void cutCall(List<String> parts, int index, ToolCall call) {
    int cut = call.arguments().length() / 2;
    parts.add(delta("{\"tool_calls\":[" + call(index, call, "") + "]}", ""));
    for (var arguments :
        List.of(call.arguments().substring(0, cut), call.arguments().substring(cut))) {
      parts.add(
          delta(
              """
              {"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}\
              """
                  .formatted(index, quoted(arguments)),
              ""));
    }
  }

  private static String call(int index, ToolCall call, String arguments) {
    return """
    {"index":%d,"id":%s,"type":"function","function":{"name":%s,"arguments":%s}}\
    """
        .formatted(index, quoted(call.id()), quoted(call.tool()), quoted(arguments));
  }

  @Override
  public List<String> opening(String piece) {
    return List.of(delta("{\"content\":" + quoted(piece) + "}", ""));
  }

  @Override
  public String overload(String message) {
    return "data: {\"error\":{\"message\":%s,\"type\":\"server_error\"}}\n\n"
        .formatted(quoted(message));
  }

  @Override
  public String error(int status, String message) {
    return "{\"error\":{\"message\":" + quoted(message) + ",\"type\":\"some_error\"}}";
  }

  private static String delta(String delta, String finish) {
    return delta(delta, finish, "");
  }

  private static String delta(String delta, String finish, String more) {
    return """
    data: {"id":"r1","object":"chat.completion.chunk","created":1,"model":"m","choices":\
    [{"index":0,"delta":%s,"finish_reason":%s}]%s}

    """
        .formatted(delta, finish.isEmpty() ? "null" : quoted(finish), more);
  }

  private static String finish(Answer.Says reply) {
    return switch (reply.finish()) {
      case STOP, PAUSED -> "stop";
      case TOOL_CALLS -> "tool_calls";
      case LENGTH -> "length";
      case FILTERED -> "content_filter";
    };
  }
}
