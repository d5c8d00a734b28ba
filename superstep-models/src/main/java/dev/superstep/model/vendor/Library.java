package dev.superstep.model.vendor;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import dev.langchain4j.model.mistralai.MistralAiChatModel;
import dev.langchain4j.model.mistralai.MistralAiStreamingChatModel;
import dev.langchain4j.model.ollama.OllamaChatModel;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.superstep.model.wire.AnthropicMessages;
import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.GeminiContents;
import dev.superstep.model.wire.OllamaChat;
import dev.superstep.model.wire.OpenAiChat;
import dev.superstep.model.wire.Protocol;

/// A vendor's client in LangChain4j: it knows where requests go, how they show their key and how
/// they ask for a stream. Each is a class of its own, so that only one vendor's classes are loaded.
interface Library {
  /// What is said and heard.
  Protocol protocol();

  /// A client that asks for whole replies. It must not retry.
  ChatModel whole(Endpoint at, HttpClientBuilder transport);

  /// A client that asks for streams.
  StreamingChatModel streamed(Endpoint at, HttpClientBuilder transport);

  /// OpenAI's, which is also that of those who speak its protocol.
  record OpenAi(Protocol protocol) implements Library {
    @Override
    public ChatModel whole(Endpoint at, HttpClientBuilder transport) {
      return OpenAiChatModel.builder()
          .httpClientBuilder(transport)
          .baseUrl(at.base())
          .apiKey(at.key().value())
          .modelName(at.model())
          .maxRetries(0)
          .build();
    }

    @Override
    public StreamingChatModel streamed(Endpoint at, HttpClientBuilder transport) {
      return OpenAiStreamingChatModel.builder()
          .httpClientBuilder(transport)
          .baseUrl(at.base())
          .apiKey(at.key().value())
          .modelName(at.model())
          .build();
    }
  }

  /// Anthropic's.
  record Anthropic() implements Library {
    @Override
    public Protocol protocol() {
      return new AnthropicMessages();
    }

    @Override
    public ChatModel whole(Endpoint at, HttpClientBuilder transport) {
      return AnthropicChatModel.builder()
          .httpClientBuilder(transport)
          .baseUrl(at.base())
          .apiKey(at.key().value())
          .modelName(at.model())
          .maxRetries(0)
          .build();
    }

    @Override
    public StreamingChatModel streamed(Endpoint at, HttpClientBuilder transport) {
      return AnthropicStreamingChatModel.builder()
          .httpClientBuilder(transport)
          .baseUrl(at.base())
          .apiKey(at.key().value())
          .modelName(at.model())
          .build();
    }
  }

  /// Google's.
  record Gemini() implements Library {
    @Override
    public Protocol protocol() {
      return new GeminiContents();
    }

    @Override
    public ChatModel whole(Endpoint at, HttpClientBuilder transport) {
      return GoogleAiGeminiChatModel.builder()
          .httpClientBuilder(transport)
          .baseUrl(at.base())
          .apiKey(at.key().value())
          .modelName(at.model())
          .maxRetries(0)
          .build();
    }

    @Override
    public StreamingChatModel streamed(Endpoint at, HttpClientBuilder transport) {
      return GoogleAiGeminiStreamingChatModel.builder()
          .httpClientBuilder(transport)
          .baseUrl(at.base())
          .apiKey(at.key().value())
          .modelName(at.model())
          .build();
    }
  }

  /// Mistral's.
  record Mistral() implements Library {
    @Override
    public Protocol protocol() {
      return OpenAiChat.ofMistral();
    }

    @Override
    public ChatModel whole(Endpoint at, HttpClientBuilder transport) {
      return MistralAiChatModel.builder()
          .httpClientBuilder(transport)
          .baseUrl(at.base())
          .apiKey(at.key().value())
          .modelName(at.model())
          .maxRetries(0)
          .build();
    }

    @Override
    public StreamingChatModel streamed(Endpoint at, HttpClientBuilder transport) {
      return MistralAiStreamingChatModel.builder()
          .httpClientBuilder(transport)
          .baseUrl(at.base())
          .apiKey(at.key().value())
          .modelName(at.model())
          .build();
    }
  }

  /// Ollama's.
  record Ollama() implements Library {
    @Override
    public Protocol protocol() {
      return new OllamaChat();
    }

    @Override
    public ChatModel whole(Endpoint at, HttpClientBuilder transport) {
      return OllamaChatModel.builder()
          .httpClientBuilder(transport)
          .baseUrl(at.base())
          .modelName(at.model())
          .maxRetries(0)
          .build();
    }

    @Override
    public StreamingChatModel streamed(Endpoint at, HttpClientBuilder transport) {
      return OllamaStreamingChatModel.builder()
          .httpClientBuilder(transport)
          .baseUrl(at.base())
          .modelName(at.model())
          .build();
    }
  }
}
