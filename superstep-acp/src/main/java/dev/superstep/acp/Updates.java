package dev.superstep.acp;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.middleware.TodoList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Tells an editor what happens in a session. Safe for many threads.
final class Updates {
  private final Connection connection;
  private final String session;
  private final ToolCalls calls;

  Updates(Connection connection, String session, ToolCallForm form) {
    this.connection = connection;
    this.session = session;
    this.calls = new ToolCalls(form, this::send);
  }

  ToolCalls calls() {
    return calls;
  }

  private void send(ObjectNode update) {
    var params = Wire.object().put("sessionId", session);
    params.set("update", update);
    connection.tell("session/update", params);
  }

  private void chunk(String kind, String message, ObjectNode content) {
    var update = Wire.object().put("sessionUpdate", kind);
    update.set("content", content);
    if (!message.isEmpty()) update.put("messageId", message);
    send(update);
  }

  /// A piece of what the agent says.
  ///
  /// @param message which pieces of one message share; may be empty
  void said(String message, String text) {
    if (!text.isEmpty()) chunk("agent_message_chunk", message, PromptContent.text(text));
  }

  /// A piece of what the agent thinks.
  void thought(String message, String text) {
    if (!text.isEmpty()) chunk("agent_thought_chunk", message, PromptContent.text(text));
  }

  /// The title of the session.
  void titled(String title) {
    send(Wire.object().put("sessionUpdate", "session_info_update").put("title", title));
  }

  /// The things to do.
  void plan(List<TodoList.Todo> todos) {
    var update = Wire.object().put("sessionUpdate", "plan");
    var entries = update.putArray("entries");
    for (var todo : todos) {
      var status =
          switch (todo.status()) {
            case OPEN -> "pending";
            case IN_PROGRESS -> "in_progress";
            case DONE -> "completed";
          };
      // The list has no priorities, and an entry needs one.
      entries
          .addObject()
          .put("content", Wire.whole(todo.text()))
          .put("priority", "medium")
          .put("status", status);
    }
    send(update);
  }

  /// Tells a conversation again, as it is stored.
  void replay(List<Message> messages) {
    for (var message : messages) {
      switch (message) {
        case UserMessage said -> {
          for (var part : said.content()) {
            PromptContent.block(part)
                .ifPresent(block -> chunk("user_message_chunk", said.id(), block));
          }
        }
        case AssistantMessage said -> {
          thought(said.id(), said.thinking());
          said(said.id(), said.text());
          for (var call : said.calls()) calls.announce("", call);
        }
        case ToolMessage result -> calls.ended("", result);
        case SystemMessage _ -> {}
      }
    }
  }
}
