package dev.superstep.terminal;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/// A session as it is stored: where its shell is, and the conversations that belong to it.
///
/// @param id in the order of time
/// @param workspace the directory that it is about
/// @param directory where its shell is
/// @param variables the names of the variables that its commands are given, with masked values
/// @param project the kind of project that the workspace holds, such as `maven`; empty if none
/// @param tools programs that are there
/// @param conversations their ids, the oldest first
/// @param commands the newest commands that were typed and not proposed, redacted
public record SessionRecord(
    String id,
    Instant created,
    Instant lastActive,
    String workspace,
    String directory,
    Map<String, String> variables,
    String project,
    List<String> tools,
    List<String> conversations,
    List<TypedCommand> commands) {
  public SessionRecord {
    variables = Map.copyOf(variables);
    tools = List.copyOf(tools);
    conversations = List.copyOf(conversations);
    commands = List.copyOf(commands);
  }

  /// A command that a person typed.
  ///
  /// @param exit its status
  public record TypedCommand(String command, int exit, Instant at) {}

  SessionRecord withConversations(List<String> others) {
    return new SessionRecord(
        id, created, lastActive, workspace, directory, variables, project, tools, others, commands);
  }
}
