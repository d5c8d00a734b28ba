package dev.superstep.model;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// What two requests share if a model would be asked the same thing: SHA-256 over everything that
/// is sent. Left out are the timeout and the ids of messages, which no model sees.
///
/// The form below is that of recording format 1. A change to it makes every recording useless, so
/// it needs a new format number.
record RequestKey(String hex) {
  private static final Codec<Sent> CODEC = Codec.of(Sent.class);

  static RequestKey of(ChatRequest request) {
    var sent =
        new Sent(
            request.messages().stream().map(RequestKey::turn).toList(),
            request.tools().stream().map(RequestKey::declared).toList(),
            switch (request.format()) {
              case ResponseFormat.Text _ -> Optional.empty();
              case ResponseFormat.JsonSchema(var name, var schema) ->
                  Optional.of(new Form(name, normal(schema)));
            },
            request.temperature(),
            request.maxTokens(),
            request.seed());
    return new RequestKey(sha256(CODEC.encode(sent).text()));
  }

  private record Sent(
      List<Turn> messages,
      List<Declared> tools,
      Optional<Form> format,
      Optional<Double> temperature,
      Optional<Integer> maxTokens,
      Optional<Long> seed) {}

  private record Turn(String role, String text, List<Asked> calls, Optional<Answered> answers) {}

  private record Asked(String id, String tool, String arguments) {}

  private record Answered(String callId, String tool, boolean error) {}

  private record Declared(String name, String description, String parameters) {}

  private record Form(String name, String schema) {}

  private static Turn turn(Message message) {
    return switch (message) {
      case SystemMessage(_, var text) -> new Turn("system", text, List.of(), Optional.empty());
      case UserMessage(_, var text) -> new Turn("user", text, List.of(), Optional.empty());
      case AssistantMessage(_, var text, var calls) ->
          new Turn(
              "assistant",
              text,
              calls.stream().map(c -> new Asked(c.id(), c.tool(), c.arguments())).toList(),
              Optional.empty());
      case ToolMessage(_, var callId, var tool, var text, var error) ->
          new Turn("tool", text, List.of(), Optional.of(new Answered(callId, tool, error)));
    };
  }

  private static Declared declared(ToolSpec tool) {
    return new Declared(tool.name(), tool.description(), normal(tool.parameters()));
  }

  private static String normal(Json schema) {
    return Json.parse(schema.text()).text();
  }

  private static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
