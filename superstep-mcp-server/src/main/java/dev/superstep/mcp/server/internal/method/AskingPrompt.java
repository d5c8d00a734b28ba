package dev.superstep.mcp.server.internal.method;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.content.ServedPrompt;
import dev.superstep.mcp.server.internal.call.ServedTool;
import dev.superstep.mcp.server.internal.protocol.ContentJson;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.internal.protocol.RpcFailure;
import dev.superstep.mcp.server.options.TaskUse;
import dev.superstep.node.Question;
import dev.superstep.schema.JsonSchema;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/// A prompt that asks while it is written: each request for it is a stored call. Immutable.
///
/// @param tool by which it is written; no client sees it
public record AskingPrompt(ServedPrompt prompt, ServedTool tool) {
  private static final String ANY = "{\"type\": \"object\"}";
  private static final String MESSAGES = "messages";

  /// @param most time of a request for it
  static AskingPrompt of(ServedPrompt prompt, Duration most) {
    var hidden =
        Tool.of(
                storedName(prompt.name()),
                prompt.description(),
                JsonSchema.parse(Json.parse(ANY)),
                (given, context) -> written(prompt, given, context))
            .withQuestions(prompt.questions().toArray(Question[]::new));
    var tool =
        ServedTool.of(hidden, ToolGate.open(), most, Optional.empty(), Optional.of(TaskUse.NEVER));
    return new AskingPrompt(prompt, tool);
  }

  /// The name by which its stored calls know it, in the form of names of tools.
  private static String storedName(String prompt) {
    var bytes = prompt.getBytes(StandardCharsets.UTF_8);
    return "prompt_" + UUID.nameUUIDFromBytes(bytes).toString().replace('-', '_');
  }

  private static ToolResult written(ServedPrompt prompt, Json given, ToolContext context)
      throws Exception {
    Map<String, String> arguments = new HashMap<>();
    for (var field : Wire.tree(given).properties()) {
      arguments.put(field.getKey(), field.getValue().asString(""));
    }
    var json = Wire.object();
    var messages = json.putArray(MESSAGES);
    var lines = prompt.asking().orElseThrow().write(Map.copyOf(arguments), context);
    for (var line : lines) message(line).ifPresent(messages::add);
    return ToolResult.of("").withArtifact(Wire.json(json));
  }

  /// A message as clients read it, if they can.
  static Optional<ObjectNode> message(ServedPrompt.Line line) {
    return ContentJson.part(line.content())
        .map(part -> {
          var message = Wire.object().put("role", line.isOfUser() ? "user" : "assistant");
          message.set("content", part);
          return message;
        });
  }

  /// The prompt, of the result of its call.
  ObjectNode result(ObjectNode called) throws RpcFailure {
    var messages = called.path("structuredContent").path(MESSAGES);
    if (called.path("isError").asBoolean(false) || !messages.isArray()) {
      var why = Wire.text(called.path("content").path(0), "text");
      throw new RpcFailure(Rpc.INTERNAL, why.isEmpty() ? "The prompt failed." : why);
    }
    var json = Wire.object().put("description", prompt.description());
    json.set(MESSAGES, messages);
    return json;
  }
}
