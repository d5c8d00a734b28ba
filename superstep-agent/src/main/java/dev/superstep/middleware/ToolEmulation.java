package dev.superstep.middleware;

import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatRequest;
import dev.superstep.tool.ToolResult;
import java.util.Set;

/// Lets a model make up what tools would give, for trying an agent out before its tools exist or
/// may be called. Arguments are checked as ever. Immutable.
public final class ToolEmulation implements Middleware {
  private static final String PROMPT =
      """
      You take the part of a tool. Answer the call that you are given with what the tool could \
      give: plausible, in the form that fits its name and arguments, and nothing but that.\
      """;

  private final ChatModel model;
  private final Set<String> tools;

  private ToolEmulation(ChatModel model, Set<String> tools) {
    this.model = model;
    this.tools = Set.copyOf(tools);
  }

  /// Emulates these tools; all of them, if none is named.
  public static ToolEmulation by(ChatModel model, String... tools) {
    return new ToolEmulation(model, Set.of(tools));
  }

  @Override
  public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
      throws Exception {
    if (!tools.isEmpty() && !tools.contains(call.tool())) return next.call(call);
    var asked = "Tool: %s\nArguments: %s".formatted(call.tool(), call.arguments());
    var request = ChatRequest.of(Message.system(PROMPT), Message.user(asked));
    return ToolResult.of(context.durable(model, "emulation").call(request).message().text());
  }

  @Override
  public String toString() {
    return "ToolEmulation[" + model.ref() + ", " + tools + "]";
  }
}
