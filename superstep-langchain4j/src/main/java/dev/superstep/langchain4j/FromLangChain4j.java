package dev.superstep.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.superstep.json.Json;
import dev.superstep.model.ChatModel;
import dev.superstep.schema.JsonSchema;
import dev.superstep.store.Embedder;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolHandler;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// LangChain4j's models and tools, to be used here.
///
/// What a request says and LangChain4j has no word for is left out (a seed, an effort, what is to
/// be cached) or refused with BAD_REQUEST (vendor options). A named tool is demanded by offering no
/// other.
public final class FromLangChain4j {
  private FromLangChain4j() {}

  /// A model, which cannot stream.
  ///
  /// @param name what it is called here: its URL is `langchain4j://name`
  public static ChatModel model(String name, dev.langchain4j.model.chat.ChatModel model) {
    return LangChain4jModel.of(name, model);
  }

  /// A model that streams; whole replies are streams whose pieces nobody hears.
  ///
  /// @param name what it is called here: its URL is `langchain4j://name`
  public static ChatModel model(String name, StreamingChatModel model) {
    return LangChain4jModel.of(name, model);
  }

  /// A model in both forms.
  ///
  /// @param name what it is called here: its URL is `langchain4j://name`
  public static ChatModel model(
      String name, dev.langchain4j.model.chat.ChatModel whole, StreamingChatModel streaming) {
    return LangChain4jModel.of(name, whole, streaming);
  }

  /// An embedder. An empty text is embedded as `(nothing)`, which models of LangChain4j's refuse.
  ///
  /// @param id names the model and how it is used: vectors of different ids are never compared
  public static Embedder embedder(String id, EmbeddingModel model) {
    return new LangChain4jEmbedder(id, model);
  }

  /// The methods of an object that are annotated as tools. A method's name in camel case becomes
  /// one in snake case. Arguments are found by name, so compile with `-parameters` or name each.
  ///
  /// @throws IllegalArgumentException if it has no such method
  public static List<Tool> tools(Object holder) {
    return ToolMethods.of(holder);
  }

  /// A tool that is given as what it looks like and what runs it.
  public static Tool tool(
      ToolSpecification specification, Function<ToolExecutionRequest, String> executor) {
    ToolHandler<Json> handler =
        (arguments, context) ->
            executor.apply(
                ToolExecutionRequest.builder()
                    .id(context.callId().isEmpty() ? "" + UUID.randomUUID() : context.callId())
                    .name(specification.name())
                    .arguments(arguments.text())
                    .build());
    var schema = JsonSchema.parse(Specifications.parameters(specification));
    var said = specification.description();
    var description = said == null || said.isBlank() ? specification.name() : said;
    return Tool.of(Specifications.snakeCase(specification.name()), description, schema, handler);
  }
}
