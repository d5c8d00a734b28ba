package dev.superstep.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.exception.LangChain4jException;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.model.output.TokenUsage;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatModel.DeltaListener;
import dev.superstep.model.ChatModel.ToolCallPiece;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelException;
import dev.superstep.store.Embedder;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.Tools;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/// Our models and tools, to be used with LangChain4j.
///
/// Thoughts, seals and pictures of a reply travel with LangChain4j's messages as an attribute, and
/// reach the model again when LangChain4j sends them back.
public final class ForLangChain4j {
  private ForLangChain4j() {}

  /// A model for whole replies.
  public static dev.langchain4j.model.chat.ChatModel model(ChatModel model) {
    return new dev.langchain4j.model.chat.ChatModel() {
      @Override
      public ChatResponse doChat(dev.langchain4j.model.chat.request.ChatRequest asked) {
        try {
          return response(model.call(Requests.fromLangChain4j(asked)));
        } catch (ModelException e) {
          throw ErrorConversions.toLangChain4j(e);
        } catch (InterruptedException _) {
          throw interrupted();
        }
      }
    };
  }

  /// An embedding model.
  public static EmbeddingModel embeddingModel(Embedder embedder) {
    return new EmbeddingModel() {
      @Override
      public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
        var texts = segments.stream().map(TextSegment::text).toList();
        try {
          return Response.from(embedder.embedAll(texts).stream().map(Embedding::from).toList());
        } catch (ModelException e) {
          throw ErrorConversions.toLangChain4j(e);
        }
      }

      @Override
      public int dimension() {
        return embedder.dimension();
      }

      @Override
      public String modelName() {
        return embedder.id();
      }
    };
  }

  /// A model for streams. They run on a thread of their own, which the handler is called on.
  public static StreamingChatModel streamingModel(ChatModel model) {
    return new StreamingChatModel() {
      @Override
      public void doChat(
          dev.langchain4j.model.chat.request.ChatRequest asked,
          StreamingChatResponseHandler handler) {
        Thread.ofVirtual()
            .name("superstep-for-langchain4j")
            .start(() -> stream(model, asked, handler));
      }
    };
  }

  private static void stream(
      ChatModel model,
      dev.langchain4j.model.chat.request.ChatRequest asked,
      StreamingChatResponseHandler handler) {
    ChatReply reply;
    try {
      reply = model.stream(Requests.fromLangChain4j(asked), new Pieces(handler));
    } catch (ModelException e) {
      handler.onError(ErrorConversions.toLangChain4j(e));
      return;
    } catch (InterruptedException _) {
      handler.onError(interrupted());
      return;
    } catch (RuntimeException e) {
      handler.onError(e);
      return;
    }
    var response = response(reply);
    var calls = response.aiMessage().toolExecutionRequests();
    for (int i = 0; i < calls.size(); i++) {
      handler.onCompleteToolCall(new CompleteToolCall(i, calls.get(i)));
    }
    handler.onCompleteResponse(response);
  }

  /// LangChain4j's pieces of calls all have a name and arguments.
  private static final class Pieces implements DeltaListener {
    private final StreamingChatResponseHandler handler;
    private final Map<Integer, ToolCallPiece> begun = new HashMap<>();

    Pieces(StreamingChatResponseHandler handler) {
      this.handler = handler;
    }

    @Override
    public void onText(String text) {
      handler.onPartialResponse(text);
    }

    @Override
    public void onThinking(String text) {
      handler.onPartialThinking(new PartialThinking(text));
    }

    @Override
    public void onToolCall(ToolCallPiece piece) {
      var first = begun.computeIfAbsent(piece.index(), _ -> piece);
      if (piece.arguments().isEmpty() || first.tool().isEmpty()) return;
      handler.onPartialToolCall(
          PartialToolCall.builder()
              .index(piece.index())
              .id(first.id())
              .name(first.tool())
              .partialArguments(piece.arguments())
              .build());
    }
  }

  private static LangChain4jException interrupted() {
    Thread.currentThread().interrupt();
    return new LangChain4jException("interrupted while a model was asked");
  }

  private static ChatResponse response(ChatReply reply) {
    var usage = reply.usage();
    return ChatResponse.builder()
        .aiMessage(Conversations.toLangChain4j(reply.message()))
        .id(reply.receipt().id())
        .modelName(
            reply.receipt().model().isEmpty() ? reply.model().url() : reply.receipt().model())
        .tokenUsage(new TokenUsage((int) usage.input(), (int) usage.output()))
        .finishReason(
            switch (reply.finish()) {
              case STOP -> FinishReason.STOP;
              case TOOL_CALLS -> FinishReason.TOOL_EXECUTION;
              case LENGTH -> FinishReason.LENGTH;
              case FILTERED -> FinishReason.CONTENT_FILTER;
              case PAUSED -> FinishReason.OTHER;
            })
        .build();
  }

  /// Describes a tool for LangChain4j.
  public static ToolSpecification specification(Tool tool) {
    return Specifications.toLangChain4j(tool.spec());
  }

  /// Returns a function that runs a tool: it checks the arguments, and returns the result or an
  /// error that the model may repair. For `ToolExecutor` of LangChain4j's services: `(call, _) ->
  /// executor.apply(call)`.
  public static Function<ToolExecutionRequest, String> executor(Tool tool) {
    var batch = ToolBatch.of(Tools.of(tool));
    return asked -> {
      var id = asked.id();
      var call =
          new ToolCall(
              id == null || id.isBlank() ? "call_" + UUID.randomUUID() : id,
              tool.name(),
              asked.arguments());
      try {
        return batch.run(List.of(call)).getFirst().text();
      } catch (InterruptedException _) {
        throw interrupted();
      }
    };
  }
}
