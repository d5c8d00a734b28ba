package dev.superstep.testkit.model;

import static dev.superstep.testkit.model.WireFormat.quoted;

import java.util.ArrayList;
import java.util.List;

/// Ollama's `/api/chat`.
record OllamaWire() implements WireFormat {
  @Override
  public List<String> refusals(String path, String body, List<Answer.Says> said) {
    return new OllamaRules().check(path, body);
  }

  @Override
  public String streamType() {
    return "application/x-ndjson";
  }

  @Override
  public String whole(Answer.Says reply) {
    return line(reply.text(), more(reply.thought(), String.join(",", calls(reply))), done(reply));
  }

  @Override
  public List<String> parts(Answer.Says reply) {
    var parts = new ArrayList<String>();
    for (var piece : reply.thoughts()) {
      parts.add(line("", more(piece, ""), ",\"done\":false") + "\n");
    }
    for (var piece : reply.pieces()) parts.add(line(piece, "", ",\"done\":false") + "\n");
    for (var call : calls(reply)) parts.add(line("", more("", call), ",\"done\":false") + "\n");
    parts.add(line("", "", done(reply)) + "\n");
    return parts;
  }

  @Override
  public List<String> opening(String piece) {
    return List.of(line(piece, "", ",\"done\":false") + "\n");
  }

  @Override
  public String overload(String message) {
    return error(0, message) + "\n";
  }

  @Override
  public String error(int status, String message) {
    return "{\"error\":" + quoted(message) + "}";
  }

  private static List<String> calls(Answer.Says reply) {
    var calls = new ArrayList<String>();
    for (var call : reply.calls()) {
      calls.add(
          "{\"function\":{\"index\":%d,\"name\":%s,\"arguments\":%s}}"
              .formatted(calls.size(), quoted(call.tool()), call.arguments()));
    }
    return calls;
  }

  private static String more(String thought, String calls) {
    var thinking = thought.isEmpty() ? "" : ",\"thinking\":" + quoted(thought);
    return thinking + (calls.isEmpty() ? "" : ",\"tool_calls\":[" + calls + "]");
  }

  private static String line(String text, String inner, String more) {
    return """
    {"model":"m","created_at":"2026-01-01T00:00:00Z",\
    "message":{"role":"assistant","content":%s%s}%s}\
    """
        .formatted(quoted(text), inner, more);
  }

  private static String done(Answer.Says reply) {
    var reason =
        switch (reply.finish()) {
          case STOP, TOOL_CALLS, PAUSED -> "stop";
          case LENGTH -> "length";
          case FILTERED -> "content_filter";
        };
    return ",\"done\":true,\"done_reason\":\"%s\",\"prompt_eval_count\":11,\"eval_count\":7"
        .formatted(reason);
  }
}
