package dev.superstep.model;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;

/// Says how many tokens a text has, before a vendor does. Safe for many threads.
@FunctionalInterface
public interface TokenCounter {
  /// The tokens of a text; 0 if it is empty.
  long count(String text);

  /// A guess that needs no vocabulary: a token for each three characters of text in Latin letters
  /// and for each other character. More than most vendors count, seldom less.
  static TokenCounter approximate() {
    return text -> {
      long wide = text.chars().filter(c -> c > 0x24F).count();
      return wide + (text.length() - wide + 2) / 3;
    };
  }

  /// The tokens of a message, with what surrounds it.
  default long count(Message message) {
    int around = 4;
    long sum = around;
    for (var part : message.content()) sum += part(part);
    if (message instanceof AssistantMessage reply) {
      for (var call : reply.calls()) {
        sum += around + count(call.tool()) + count(call.arguments()) + count(call.id());
      }
    }
    return sum;
  }

  private long part(Content part) {
    int picture = 1_600; // about what vendors count for a large one
    return switch (part) {
      case Content.Text(var text) -> count(text);
      case Content.Data(var json) -> count(json.text());
      case Content.Thinking(var text, _) -> count(text);
      case Content.Image _, Content.ImageLink _ -> picture;
      // Vendors count pages or seconds, of which the bytes tell little; this is a guess.
      case Content.File(_, var base64, _) -> Math.max(picture, base64.length() / 100);
      case Content.FileLink _ -> picture;
      case Content.Extension(var seal) -> count(seal.data().text());
    };
  }

  /// The tokens of a prompt: messages, tools and the form of the answer.
  default long count(ChatRequest request) {
    long sum = 0;
    for (var message : request.messages()) sum += count(message);
    for (var tool : request.tools()) {
      sum += count(tool.name()) + count(tool.description());
      // The schema of a deferred tool is not in the prompt until it is found.
      if (!request.isDeferred(tool)) sum += count(tool.parameters().text());
    }
    if (request.format() instanceof ResponseFormat.JsonSchema(_, var schema)) {
      sum += count(schema.text());
    }
    return sum;
  }
}
