package dev.superstep.spring.ai;

import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ToolChoice;
import dev.superstep.model.ToolSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.StructuredOutputChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;

/// Requests in both forms.
final class Prompts {
  private Prompts() {}

  /// A prompt for a model, in options of the kind that it has itself.
  ///
  /// @param defaults the options of the model, which those of the request are laid over
  static Prompt toSpring(ChatRequest request, ChatOptions defaults, ModelRef ref) {
    var messages = new ArrayList<>(request.messages());
    var options = defaults.mutate();
    request.temperature().ifPresent(options::temperature);
    request.topP().ifPresent(options::topP);
    request.maxTokens().ifPresent(options::maxTokens);
    if (!request.stop().isEmpty()) options.stopSequences(request.stop());
    offer(request, options, ref);
    if (request.format() instanceof ResponseFormat.JsonSchema(_, var schema)
        && !(options instanceof SuperstepChatOptions.Builder)) {
      if (options instanceof StructuredOutputChatOptions.Builder<?> structured) {
        structured.outputSchema(schema.text());
      } else {
        messages.add(Message.user(demand(schema)));
      }
    }
    if (options instanceof SuperstepChatOptions.Builder ours) {
      ours.request(asked -> restOf(request, asked));
    } else if (request.vendorOptions().isPresent()) {
      throw new ModelException(
          ModelException.Kind.BAD_REQUEST,
          "Spring AI has no place for vendor options. Set them in the options of its model (`%s`)."
              .formatted(ref));
    }
    return new Prompt(Conversations.toSpring(messages), options.build());
  }

  private static void offer(ChatRequest request, ChatOptions.Builder<?> options, ModelRef ref) {
    boolean isOurs = options instanceof SuperstepChatOptions.Builder;
    var tools = isOurs ? request.tools() : offered(request);
    if (options instanceof ToolCallingChatOptions.Builder<?> calling) {
      // What a model is configured with would be called by nobody here.
      var callbacks = tools.stream().<ToolCallback>map(OfferedTool::new).toList();
      calling.toolCallbacks((List<ToolCallback>) null);
      if (!callbacks.isEmpty()) calling.toolCallbacks(callbacks);
    } else if (!tools.isEmpty()) {
      throw new ModelException(
          ModelException.Kind.BAD_REQUEST,
          "The options of this model of Spring AI have no tools. Offer none, or take another (`%s`)."
              .formatted(ref));
    }
  }

  private static List<ToolSpec> offered(ChatRequest request) {
    return switch (request.toolChoice()) {
      case ToolChoice.Auto _, ToolChoice.Required _ -> request.tools();
      case ToolChoice.None _ -> List.of();
      case ToolChoice.Named(var name) ->
          request.tools().stream().filter(tool -> tool.name().equals(name)).toList();
    };
  }

  private static String demand(Json schema) {
    return "Answer with one JSON value that this JSON Schema accepts, and with nothing else:\n"
        + schema.text();
  }

  /// The settings that Spring AI's options cannot say, on its way to a model of ours.
  private static ChatRequest restOf(ChatRequest from, ChatRequest to) {
    var request =
        to.withToolChoice(from.toolChoice())
            .withFormat(from.format())
            .withHostedTools(from.hostedTools().toArray(dev.superstep.model.HostedTool[]::new))
            .withDeferredTools(from.deferredTools())
            .withTimeout(from.timeout())
            .withFirstByteTimeout(from.firstByteTimeout())
            .withWholeReplyTimeout(from.wholeReplyTimeout())
            .withIdleTimeout(from.idleTimeout())
            .withNeeds(from.needs().toArray(dev.superstep.model.Capability[]::new));
    if (from.seed().isPresent()) request = request.withSeed(from.seed().get());
    if (from.effort().isPresent()) request = request.withEffort(from.effort().get());
    if (from.vendorOptions().isPresent()) {
      request = request.withVendorOptions(from.vendorOptions().get());
    }
    for (var label : from.labels().entrySet()) {
      request = request.withLabel(label.getKey(), label.getValue());
    }
    return request;
  }

  /// A request for a model of ours. A model name in the options is left out: the model is known.
  static ChatRequest fromSpring(Prompt prompt) {
    var messages = Conversations.fromSpring(prompt.getInstructions());
    if (messages.isEmpty()) messages = List.of(Message.user(""));
    var request = ChatRequest.of(messages);
    var options = prompt.getOptions();
    if (options == null) return request;
    if (options instanceof ToolCallingChatOptions calling) {
      var tools = specs(calling.getToolCallbacks());
      if (!tools.isEmpty()) request = request.withTools(tools);
    }
    if (options.getTemperature() != null) {
      request = request.withTemperature(options.getTemperature());
    }
    if (options.getTopP() != null) request = request.withTopP(options.getTopP());
    if (options.getMaxTokens() != null) request = request.withMaxTokens(options.getMaxTokens());
    var stop = options.getStopSequences();
    if (stop != null && !stop.isEmpty()) request = request.withStop(stop.toArray(String[]::new));
    if (options instanceof StructuredOutputChatOptions structured) {
      var schema = structured.getOutputSchema();
      if (schema != null && !schema.isBlank()) {
        request = request.withFormat(new ResponseFormat.JsonSchema("answer", Json.parse(schema)));
      }
    }
    return options instanceof SuperstepChatOptions ours ? ours.request().apply(request) : request;
  }

  private static List<ToolSpec> specs(@Nullable List<ToolCallback> callbacks) {
    if (callbacks == null) return List.of();
    return callbacks.stream()
        .map(ToolCallback::getToolDefinition)
        .map(tool -> new ToolSpec(tool.name(), tool.description(), Json.parse(tool.inputSchema())))
        .toList();
  }
}
