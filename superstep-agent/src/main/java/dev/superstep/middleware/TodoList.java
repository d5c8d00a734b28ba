package dev.superstep.middleware;

import dev.superstep.json.Codec;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatRequest;
import dev.superstep.node.Update;
import dev.superstep.schema.Description;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;

/// A list of things to do that the model keeps while it works on something long. It is in the
/// channel [#TODOS], so a program can show it as it changes. Immutable.
public final class TodoList implements Middleware {
  /// The list as it stands.
  public static final Channel<List<Todo>, List<Todo>> TODOS =
      Channel.latest("todos", Codec.listOf(Todo.class));

  private static final String TOOL = "write_todos";
  private static final String PROMPT =
      """
      For a task that takes several steps, keep a list of them with the tool `write_todos`. Write \
      the whole list each time: mark a step as in progress before you begin it and as done as soon \
      as it is. Call it once at a time. Do without it for what is simple.\
      """;

  private final String prompt;

  private TodoList(String prompt) {
    this.prompt = prompt;
  }

  /// Something to do.
  public record Todo(String text, Status status) {
    /// The status of a task.
    public enum Status {
      /// Not begun.
      OPEN,
      /// Begun.
      IN_PROGRESS,
      /// Finished.
      DONE
    }
  }

  record Written(@Description("The whole list, in order.") List<Todo> todos) {
    Written {
      todos = List.copyOf(todos);
    }
  }

  /// A list, with instructions on when to keep it.
  public static TodoList create() {
    return new TodoList(PROMPT);
  }

  /// Returns a copy with other instructions.
  public TodoList withPrompt(String text) {
    return new TodoList(text);
  }

  @Override
  public Touches touches() {
    return Touches.PREFIX;
  }

  @Override
  public List<Channel<?, ?>> channels() {
    return List.of(TODOS);
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.of(
            TOOL,
            "Writes the list of things to do, in place of the one before.",
            Written.class,
            (written, _) -> {
              long done =
                  written.todos().stream()
                      .filter(todo -> todo.status() == Todo.Status.DONE)
                      .count();
              var text = "The list is kept: %d of %d done.".formatted(done, written.todos().size());
              return ToolResult.of(text).withPatch(Update.of(TODOS, written.todos()));
            }));
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    var messages = new ArrayList<Message>(request.messages());
    messages.add(request.prefix(), new SystemMessage("todos", prompt));
    return request.withMessages(messages).withPrefix(request.prefix() + 1, request.cacheHint());
  }

  @Override
  public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
      throws Exception {
    if (call.tool().equals(TOOL) && times(context.conversation()) > 1) {
      return ToolResult.error(
          "Not written: the list was to be written several times at once. Write it once.");
    }
    return next.call(call);
  }

  /// The number of times that the last turn writes the list.
  private static long times(List<Message> conversation) {
    for (var message : conversation.reversed()) {
      if (message instanceof AssistantMessage reply && reply.hasToolCalls()) {
        return reply.calls().stream().filter(call -> call.tool().equals(TOOL)).count();
      }
    }
    return 0;
  }

  @Override
  public String toString() {
    return "TodoList[]";
  }
}
