package dev.superstep.model.vendor;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.output.TokenUsage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Usage;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What differs between vendors. LangChain4j speaks the protocol; this adds what its types cannot
/// say, and reads what they do not tell. Implementations are immutable.
interface Vendor {
  /// The vendor's name, to begin a sentence with.
  String title();

  /// LangChain4j's model for whole replies. It must not retry.
  ChatModel whole(Endpoint at, HttpClientBuilder transport);

  /// LangChain4j's model for streams.
  StreamingChatModel streamed(Endpoint at, HttpClientBuilder transport);

  /// Adds to the request, just before it is sent, what LangChain4j's types cannot hold: exact
  /// schemas of tools and answers, and seeds.
  void complete(ObjectNode body, ChatRequest request);

  /// The vendor's word for why the model stopped, if this reply or part of one has it.
  Optional<String> finish(JsonNode reply);

  /// Why the model declined, if this reply or part of one says that it did.
  default Optional<String> refusal(JsonNode reply) {
    return Optional.empty();
  }

  /// Changes a reply, or a part of one, where LangChain4j would drop or alter what it says.
  default void mend(ObjectNode reply) {}

  /// The tokens used, as far as LangChain4j tells.
  Usage usage(TokenUsage used);

  /// Whether a schema for the answer has to be part of the prompt.
  default boolean wantsSchemaInPrompt() {
    return false;
  }

  /// Whether the protocol takes the arguments of earlier tool calls as JSON objects only.
  default boolean wantsObjectArguments() {
    return false;
  }
}
