package dev.superstep.mcp;

import dev.superstep.credential.Credential;
import dev.superstep.json.Json;
import dev.superstep.mcp.internal.task.TaskHandle;
import dev.superstep.message.Content;
import dev.superstep.tool.ToolResult;
import java.util.List;
import java.util.Optional;

/// The end of one call of a tool of a server, as it is stored in a run.
///
/// @param asked what the server asked that nobody had answered; the call then has no result
/// @param artifact the structured result
/// @param rest by which the call goes on when that is answered, or as a task; empty if it is made
///   again
record CallOutcome(
    Optional<McpElicitation> asked,
    List<Content> content,
    boolean error,
    Optional<Json> artifact,
    Optional<Json> rest) {
  CallOutcome {
    content = List.copyOf(content);
  }

  static CallOutcome asked(McpElicitation what) {
    return asked(what, Optional.empty());
  }

  static CallOutcome asked(McpElicitation what, Optional<Json> rest) {
    return new CallOutcome(Optional.of(what), List.of(), false, Optional.empty(), rest);
  }

  /// The call goes on as a task.
  static CallOutcome of(TaskHandle task) {
    return new CallOutcome(
        Optional.empty(), List.of(), false, Optional.empty(), Optional.of(task.json()));
  }

  /// The task by which the call goes on, if it does.
  Optional<TaskHandle> task() {
    return rest.flatMap(TaskHandle::read);
  }

  /// Returns one whose result has nothing of a secret. What the call goes on by is the server's,
  /// and stays.
  CallOutcome without(Credential secret) {
    var hidden = secret.hiddenIn(new ToolResult(content, error, artifact, Optional.empty(), false));
    return new CallOutcome(asked, hidden.content(), error, hidden.artifact(), rest);
  }

  ToolResult result() {
    var result = ToolResult.of(content);
    if (error) result = new ToolResult(content, true, Optional.empty(), Optional.empty(), false);
    return artifact.isPresent() ? result.withArtifact(artifact.get()) : result;
  }
}
