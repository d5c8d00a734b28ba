package dev.superstep.mcp.internal.question;

import dev.superstep.budget.Ledger;
import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.message.Message;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.TokenCounter;
import java.util.ArrayList;
import tools.jackson.databind.JsonNode;

/// Asks a model for servers, from a ledger. Takes texts alone, and gives the model no tools.
public record BudgetedSampler(ChatModel model, Ledger ledger, int tokensMax) {
  private static final int MESSAGES_MAX = 100;
  private static final int CHARACTERS_MAX = 200_000;

  /// Answers `sampling/createMessage`.
  ///
  /// @param server the name of the server that asks
  public Json answer(String server, Json request) throws InterruptedException {
    var asked = Wire.tree(request);
    var reply = metered(request(server, asked));
    var result = Wire.object();
    result.put("role", "assistant");
    result.putObject("content").put("type", "text").put("text", reply.message().text());
    result.put("model", reply.model().model());
    result.put("stopReason", reply.finish() == ChatReply.Finish.LENGTH ? "maxTokens" : "endTurn");
    return Wire.json(result);
  }

  private ChatRequest request(String server, JsonNode asked) {
    var messages = new ArrayList<Message>();
    var system = Wire.text(asked, "systemPrompt");
    // It is the word of a stranger, and so no instruction of ours.
    if (!system.isEmpty()) messages.add(Message.user("[of the server " + server + "]\n" + system));
    int length = system.length();
    for (var one : asked.path("messages")) {
      var text = text(one.path("content"));
      length += text.length();
      if (messages.size() > MESSAGES_MAX || length > CHARACTERS_MAX) {
        throw new IllegalArgumentException("the server asks too much at once");
      }
      boolean isReply = Wire.text(one, "role").equals("assistant");
      messages.add(isReply ? Message.assistant(text) : Message.user(text));
    }
    int wanted = asked.path("maxTokens").asInt(tokensMax);
    return ChatRequest.of(messages).withMaxTokens(Math.clamp(wanted, 1, tokensMax));
  }

  private static String text(JsonNode content) {
    var parts = new StringBuilder();
    for (var part : content.isArray() ? content : Wire.list(content)) {
      if (!Wire.text(part, "type").equals("text")) {
        throw new IllegalArgumentException("only texts are taken");
      }
      parts.append(Wire.text(part, "text"));
    }
    return parts.toString();
  }

  private ChatReply metered(ChatRequest request) throws InterruptedException {
    var reserved =
        ledger.reserve(model.ref(), model.profile(), request, TokenCounter.approximate());
    ChatReply reply;
    try {
      reply = model.call(reserved.request());
    } catch (InterruptedException | RuntimeException | Error e) {
      var _ = ledger.fail(reserved, e);
      throw e;
    }
    var _ = ledger.settle(reserved, reply);
    return reply;
  }
}
