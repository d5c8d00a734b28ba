package dev.superstep.spring.ai;

import dev.superstep.json.Json;
import dev.superstep.model.ChatModel;
import dev.superstep.schema.JsonSchema;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolHandler;
import dev.superstep.tool.ToolResult;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.execution.ToolExecutionException;

/// Spring AI's models and tools, to be used here.
///
/// A model is asked with options of its own kind, the ones it was configured with, and the request
/// laid over them. What a request says and Spring AI has no word for is left out (a seed, an
/// effort, what is to be cached) or refused with BAD_REQUEST (vendor options). A named tool is
/// demanded by offering no other; that some tool must be called cannot be demanded.
///
/// A model is told of tools and runs none: that is up to the agent that offers them.
public final class FromSpringAi {
  /// The name of our [ToolContext] in Spring AI's, by which a tool asks people or tells how far it
  /// is.
  public static final String CONTEXT = "superstep";

  private static final String NO_ARGUMENTS = "{\"type\":\"object\",\"properties\":{}}";

  private FromSpringAi() {}

  /// A model.
  ///
  /// @param name what it is called here: its URL is `spring-ai://name`
  public static ChatModel model(String name, org.springframework.ai.chat.model.ChatModel model) {
    return lazyModel(name, () -> model);
  }

  /// A model that is looked up when it is asked.
  ///
  /// @param name what it is called here: its URL is `spring-ai://name`
  public static ChatModel lazyModel(
      String name, Supplier<org.springframework.ai.chat.model.ChatModel> model) {
    return new SpringAiModel(name, model);
  }

  /// A tool. Its name in camel case becomes one in snake case. Nothing is known of what it does, so
  /// say it by [Tool#withPolicy]. The result of one that Spring AI would return directly is the
  /// answer of the agent.
  ///
  /// A tool of ours that went over to Spring AI comes back as it was.
  public static Tool tool(ToolCallback callback) {
    return tool(callback, _ -> Map.of());
  }

  /// A tool that gets more than [#CONTEXT] in Spring AI's context, such as a tenant.
  ///
  /// @param context what it gets, made for each call from what was injected
  public static Tool tool(
      ToolCallback callback, Function<ToolContext, Map<String, Object>> context) {
    if (callback instanceof SuperstepCallback ours) return ours.tool();
    var definition = callback.getToolDefinition();
    boolean isFinal = callback.getToolMetadata().returnDirect();
    ToolHandler<Json> handler =
        (arguments, call) -> {
          var given = new HashMap<>(context.apply(call));
          given.put(CONTEXT, call);
          var result = ToolResult.of(run(callback, arguments, given));
          return isFinal ? result.asFinal() : result;
        };
    var schema = definition.inputSchema();
    var said = definition.description();
    return Tool.of(
        snakeCase(definition.name()),
        said.isBlank() ? definition.name() : said,
        JsonSchema.parse(Json.parse(schema.isBlank() ? NO_ARGUMENTS : schema)),
        handler);
  }

  private static String run(ToolCallback callback, Json arguments, Map<String, Object> context)
      throws Exception {
    try {
      var result =
          callback.call(
              arguments.text(), new org.springframework.ai.chat.model.ToolContext(context));
      return result == null ? "" : result;
    } catch (ToolExecutionException e) {
      if (e.getCause() instanceof Exception cause) throw cause;
      throw e;
    }
  }

  /// All tools of a provider, such as a client of MCP servers.
  public static List<Tool> tools(ToolCallbackProvider provider) {
    return Arrays.stream(provider.getToolCallbacks()).map(FromSpringAi::tool).toList();
  }

  /// The methods of an object that are annotated as tools of Spring AI.
  ///
  /// @throws IllegalStateException if it has no such method
  public static List<Tool> tools(Object holder) {
    return Arrays.stream(ToolCallbacks.from(holder)).map(FromSpringAi::tool).toList();
  }

  /// `getWeather` as `get_weather`.
  private static String snakeCase(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
        .replaceAll("([A-Z]+)([A-Z][a-z])", "$1_$2")
        .replaceAll("[^A-Za-z0-9]+", "_")
        .toLowerCase(Locale.ROOT);
  }
}
