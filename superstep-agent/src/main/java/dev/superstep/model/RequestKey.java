package dev.superstep.model;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The key that two requests share if a model would be asked the same thing: SHA-256 over
/// everything that is sent. Left out are the time limits, labels, the ids of messages and the
/// stable prefix, which change no answer.
///
/// A change to the form below makes every recording useless, so it needs a new format number. A
/// test names each part of a request that is left out.
record RequestKey(String hex) {
  private static final Codec<Sent> CODEC = Codec.of(Sent.class);
  private static final Codec<Json> JSON = Codec.of(Json.class);
  private static final Codec<More> MORE = Codec.of(More.class);

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
    return new RequestKey(
        Digests.sha256(CODEC.encode(sent).text() + more(request) + hosted(request)));
  }

  private record Sent(
      List<Turn> messages,
      List<Declared> tools,
      Optional<Form> format,
      Optional<Double> temperature,
      Optional<Integer> maxTokens,
      Optional<Long> seed) {}

  /// The rare parts of a request; hashed only if there is any, so that the other requests keep
  /// their keys.
  ///
  /// @param parts of the messages whose text does not tell all
  private record More(
      Optional<Double> topP,
      List<String> stop,
      Optional<Effort> effort,
      ToolChoice choice,
      Optional<String> vendorOptions,
      List<Parts> parts) {}

  private record Parts(int message, List<Content> content) {}

  private static final More NO_MORE =
      new More(
          Optional.empty(),
          List.of(),
          Optional.empty(),
          ToolChoice.AUTO,
          Optional.empty(),
          List.of());

  private static String more(ChatRequest request) {
    var more =
        new More(
            request.topP(),
            request.stop(),
            request.effort(),
            request.toolChoice(),
            request.vendorOptions().map(RequestKey::normal),
            parts(request));
    return more.equals(NO_MORE) ? "" : MORE.encode(more).text();
  }

  // Beside the form, so that requests without hosted tools keep their keys.
  private static String hosted(ChatRequest request) {
    var all = new StringBuilder();
    for (var tool : request.hostedTools()) {
      all.append("hosted:").append(Json.string(tool.vendor()).text());
      all.append(normal(tool.definition()));
      tool.fields().ifPresent(fields -> all.append("fields:").append(normal(fields)));
      if (!tool.betas().isEmpty()) all.append("betas:").append(Json.of(tool.betas()).text());
    }
    var deferred = request.tools().stream().filter(request::isDeferred).map(ToolSpec::name);
    var names = deferred.sorted().toList();
    if (!names.isEmpty()) all.append("deferred:").append(Json.of(names).text());
    return all.toString();
  }

  private static List<Parts> parts(ChatRequest request) {
    var parts = new ArrayList<Parts>();
    int place = 0;
    for (var message : request.messages()) {
      var content = message.content();
      boolean told = content.stream().allMatch(Content.Text.class::isInstance);
      if (!told) parts.add(new Parts(place, content));
      place++;
    }
    return parts;
  }

  private record Turn(String role, String text, List<Asked> calls, Optional<Answered> answers) {}

  private record Asked(String id, String tool, String arguments) {}

  private record Answered(String callId, String tool, boolean error) {}

  private record Declared(String name, String description, String parameters) {}

  private record Form(String name, String schema) {}

  private static Turn turn(Message message) {
    return switch (message) {
      case SystemMessage _ -> new Turn("system", message.text(), List.of(), Optional.empty());
      case UserMessage _ -> new Turn("user", message.text(), List.of(), Optional.empty());
      case AssistantMessage reply ->
          new Turn(
              "assistant",
              reply.text(),
              reply.calls().stream().map(c -> new Asked(c.id(), c.tool(), c.arguments())).toList(),
              Optional.empty());
      case ToolMessage answer ->
          new Turn(
              "tool",
              answer.text(),
              List.of(),
              Optional.of(new Answered(answer.callId(), answer.tool(), answer.error())));
    };
  }

  private static Declared declared(ToolSpec tool) {
    return new Declared(tool.name(), tool.description(), normal(tool.parameters()));
  }

  private static String normal(Json schema) {
    return JSON.encode(schema).text();
  }
}
