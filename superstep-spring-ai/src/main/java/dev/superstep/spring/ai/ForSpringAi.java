package dev.superstep.spring.ai;

import dev.superstep.model.ChatModel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.Tools;
import java.util.List;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;

/// Our models and tools, to be used with Spring AI.
///
/// Thoughts, seals and pictures of a reply travel with Spring AI's messages as metadata, and reach
/// the model again when Spring AI sends them back. Errors are
/// [dev.superstep.model.ModelException]s.
public final class ForSpringAi {
  private ForSpringAi() {}

  /// A model, for whole replies and for streams, which run on a virtual thread of their own and no
  /// faster than they are read. Its options are [SuperstepChatOptions].
  public static org.springframework.ai.chat.model.ChatModel model(ChatModel model) {
    return new SuperstepSpringModel(model);
  }

  /// A tool. It checks its arguments; a failure is a `ToolExecutionException`, which Spring AI
  /// tells the model. Spring AI's `ToolContext` is injected: the tool gets it by
  /// [dev.superstep.tool.ToolContext#get].
  ///
  /// Gates and questions to people belong to agents: a tool that asks a person fails here.
  ///
  /// @throws IllegalArgumentException if the tool needs approval, which nobody would be asked for
  public static ToolCallback callback(Tool tool) {
    return new SuperstepCallback(tool);
  }

  /// Tools, such as those that [Tools#from] makes.
  public static List<ToolCallback> callbacks(Tools tools) {
    return tools.names().stream()
        .map(name -> tools.find(name).orElseThrow())
        .map(ForSpringAi::callback)
        .toList();
  }

  /// Tools, where a provider is wanted.
  public static ToolCallbackProvider provider(Tools tools) {
    return ToolCallbackProvider.from(callbacks(tools));
  }
}
