package dev.superstep.spring.ai;

import dev.superstep.message.ToolCall;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.ToolCaller;
import dev.superstep.tool.ToolDependencies;
import dev.superstep.tool.Tools;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;

/// A tool of ours for Spring AI: it checks the arguments, and its failures are those that Spring AI
/// tells the model.
record SuperstepCallback(Tool tool) implements ToolCallback {
  SuperstepCallback {
    if (tool.policy().needsApproval()) {
      throw new IllegalArgumentException(
          "The tool `%s` needs approval, and Spring AI asks nobody. Give it to an agent instead."
              .formatted(tool.name()));
    }
  }

  @Override
  public ToolDefinition getToolDefinition() {
    var spec = tool.spec();
    return ToolDefinition.builder()
        .name(spec.name())
        .description(spec.description())
        .inputSchema(spec.parameters().text())
        .build();
  }

  @Override
  public String call(String arguments) {
    return call(arguments, null);
  }

  @Override
  public String call(String arguments, @Nullable ToolContext context) {
    var caller = ToolCaller.of(Tools.of(tool));
    if (context != null) {
      caller = caller.withInjected(ToolDependencies.none().and(ToolContext.class, context));
    }
    var call = new ToolCall("call_" + UUID.randomUUID(), tool.name(), arguments);
    try {
      var answer = ToolBatch.of(caller).run(List.of(call)).getFirst();
      if (!answer.error()) return answer.text();
      throw new ToolExecutionException(
          getToolDefinition(), new IllegalStateException(answer.text()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ToolExecutionException(getToolDefinition(), e);
    }
  }
}
