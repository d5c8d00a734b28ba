package dev.superstep.middleware;

import dev.superstep.json.Codec;
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

/// Conversations as text for a model that reads them without taking part.
final class Transcripts {
  static final Codec<Message> MESSAGE = Codec.of(Message.class);

  private Transcripts() {}

  /// @param most the most characters of each message
  static String of(List<Message> messages, int most) {
    var text = new StringBuilder();
    for (var message : messages) {
      var said = Excerpt.headAndTail(message.text(), most);
      switch (message) {
        case SystemMessage _ -> line(text, "Instructions", said);
        case UserMessage _ -> line(text, "User", said);
        case AssistantMessage reply -> {
          if (!said.isBlank()) line(text, "Assistant", said);
          for (var call : reply.calls()) {
            var arguments = Excerpt.headAndTail(call.arguments(), most);
            line(text, "Assistant calls " + call.tool(), arguments);
          }
        }
        case ToolMessage answer ->
            line(text, answer.tool() + (answer.error() ? " fails" : " answers"), said);
      }
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String who, String said) {
    text.append(who).append(": ").append(said).append('\n');
  }

  /// A fingerprint of what a message says, whatever its id.
  static String digest(Message message) {
    return digest(MESSAGE.encode(message.withId("")).text());
  }

  /// The first 16 digits of a SHA-256.
  static String digest(String text) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      var bytes = sha.digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(bytes, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
