package dev.superstep.spring.ai;

import dev.superstep.model.ToolSpec;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/// A tool that a model of Spring AI's is told of and that nothing in Spring AI may run: whether and
/// how it runs is up to the agent that offers it.
record OfferedTool(ToolSpec spec) implements ToolCallback {
  @Override
  public ToolDefinition getToolDefinition() {
    return ToolDefinition.builder()
        .name(spec.name())
        .description(spec.description().isBlank() ? spec.name() : spec.description())
        .inputSchema(spec.parameters().text())
        .build();
  }

  @Override
  public String call(String arguments) {
    throw new IllegalStateException(
        "The tool `%s` is run by the agent that offers it. Something in Spring AI tried to run it:"
                .formatted(spec.name())
            + " switch that off for the model of this agent.");
  }
}
