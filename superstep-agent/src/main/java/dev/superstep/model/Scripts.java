package dev.superstep.model;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.schema.JsonSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads the files that [ScriptedModel#open] describes.
final class Scripts {
  private static final JsonSchema SCHEMA =
      JsonSchema.parse(
          Json.parse(
              """
              {"type":"object","required":["replies"],"additionalProperties":false,
               "properties":{"replies":{"type":"array","items":{
                 "type":"object","additionalProperties":false,"properties":{
                   "when":{"type":"string"},
                   "text":{"type":"string"},
                   "calls":{"type":"array","items":{
                     "type":"object","required":["tool","arguments"],"additionalProperties":false,
                     "properties":{"id":{"type":"string"},"tool":{"type":"string"},
                       "arguments":{"type":["object","string"]}}}},
                   "finish":{"enum":["STOP","TOOL_CALLS","LENGTH","FILTERED"]},
                   "usage":{"type":"object","additionalProperties":false,"properties":{
                     "input":{"type":"integer"},"output":{"type":"integer"}}}}}}}}\
              """));

  private Scripts() {}

  static ScriptedModel read(Path file) {
    var rules = new ArrayList<Function<ChatRequest, Optional<ChatReply>>>();
    var replies = new ArrayList<ChatReply>();
    int number = 0;
    for (var entry : tree(file).get("replies")) {
      var reply = reply(entry, ++number);
      if (entry.has("when")) rules.add(rule(entry.get("when").asString(), reply));
      else replies.add(reply);
    }
    return new ScriptedModel(new ModelRef("scripted", file.toString()), rules, replies);
  }

  private static JsonNode tree(Path file) {
    try {
      var json = Json.parse(Files.readString(file));
      var violations = SCHEMA.check(json);
      if (!violations.isEmpty()) {
        throw new MalformedScript(file, violations.getFirst().sentence(), null);
      }
      return JsonMapper.shared().readTree(json.text());
    } catch (MalformedJson e) {
      throw new MalformedScript(file, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new ModelException(
          ModelException.Kind.UNAVAILABLE,
          "Script " + file + " cannot be read: " + e + ". Check the path.",
          null,
          e);
    }
  }

  private static Function<ChatRequest, Optional<ChatReply>> rule(String part, ChatReply reply) {
    return request ->
        request.messages().getLast().text().contains(part) ? Optional.of(reply) : Optional.empty();
  }

  private static ChatReply reply(JsonNode entry, int number) {
    List<ToolCall> calls = new ArrayList<>();
    for (var call : entry.path("calls")) {
      var arguments = call.get("arguments");
      calls.add(
          new ToolCall(
              call.path("id").asString("call-" + number + "-" + (calls.size() + 1)),
              call.get("tool").asString(),
              arguments.isString() ? arguments.asString() : arguments.toString()));
    }
    var usage = entry.path("usage");
    var finish = calls.isEmpty() ? ChatReply.Finish.STOP : ChatReply.Finish.TOOL_CALLS;
    return ScriptedModel.reply(
        new AssistantMessage("", entry.path("text").asString(""), calls),
        new Usage(usage.path("input").asLong(0), 0, usage.path("output").asLong(0), 0),
        ChatReply.Finish.valueOf(entry.path("finish").asString(finish.name())));
  }
}
