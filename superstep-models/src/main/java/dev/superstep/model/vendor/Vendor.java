package dev.superstep.model.vendor;

import dev.superstep.model.wire.AnthropicMessages;
import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.GeminiContents;
import dev.superstep.model.wire.Key;
import dev.superstep.model.wire.OllamaChat;
import dev.superstep.model.wire.OpenAiChat;
import dev.superstep.model.wire.Protocol;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// A vendor's HTTP interface: the contents of requests and replies, and how they are sent. Each
/// vendor has its own class, so that only one vendor's classes are loaded. Immutable.
interface Vendor {
  /// Returns the protocol of requests and replies.
  Protocol protocol();

  /// Returns the part of a request that is the same for every call.
  Envelope envelope(Endpoint endpoint, boolean streamed);

  private static Envelope bearing(Envelope envelope, Key key) {
    var value = key.value();
    return value == null ? envelope : envelope.header("Authorization", "Bearer " + value);
  }

  private static Envelope streaming(Envelope envelope, boolean streamed) {
    return envelope.field("stream", BooleanNode.valueOf(streamed));
  }

  /// OpenAI's chat, which is also that of those who speak its protocol.
  record OpenAi(Protocol protocol) implements Vendor {
    @Override
    public Envelope envelope(Endpoint endpoint, boolean streamed) {
      var plain = bearing(Envelope.to(endpoint.base() + "/chat/completions"), endpoint.key());
      var envelope = streaming(plain, streamed);
      if (!streamed) return envelope;
      // Else a stream does not tell its tokens.
      var options = JsonNodeFactory.instance.objectNode().put("include_usage", true);
      return envelope.field("stream_options", options);
    }
  }

  /// Anthropic's messages.
  record Anthropic() implements Vendor {
    // The version that the protocol speaks.
    private static final String VERSION = "2023-06-01";

    @Override
    public Protocol protocol() {
      return new AnthropicMessages();
    }

    @Override
    public Envelope envelope(Endpoint endpoint, boolean streamed) {
      var plain = Envelope.to(endpoint.base() + "/messages").header("anthropic-version", VERSION);
      var value = endpoint.key().value();
      return streaming(value == null ? plain : plain.header("x-api-key", value), streamed);
    }
  }

  /// Google's Gemini.
  record Gemini() implements Vendor {
    @Override
    public Protocol protocol() {
      return new GeminiContents();
    }

    @Override
    public Envelope envelope(Endpoint endpoint, boolean streamed) {
      var method = streamed ? ":streamGenerateContent?alt=sse" : ":generateContent";
      var plain = Envelope.to(endpoint.base() + "/models/" + endpoint.model() + method);
      var value = endpoint.key().value();
      return value == null ? plain : plain.header("x-goog-api-key", value);
    }
  }

  /// Mistral's chat.
  record Mistral() implements Vendor {
    @Override
    public Protocol protocol() {
      return OpenAiChat.ofMistral();
    }

    @Override
    public Envelope envelope(Endpoint endpoint, boolean streamed) {
      var plain = bearing(Envelope.to(endpoint.base() + "/chat/completions"), endpoint.key());
      return streaming(plain, streamed);
    }
  }

  /// Ollama's chat.
  record Ollama() implements Vendor {
    @Override
    public Protocol protocol() {
      return new OllamaChat();
    }

    @Override
    public Envelope envelope(Endpoint endpoint, boolean streamed) {
      return streaming(Envelope.to(endpoint.base() + "/api/chat"), streamed);
    }
  }
}
