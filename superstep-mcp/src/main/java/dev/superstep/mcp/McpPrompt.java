package dev.superstep.mcp;

import dev.superstep.message.Content;
import java.util.List;

/// A prompt that a server offers. None of it is to be trusted.
public record McpPrompt(String name, String description, List<Argument> arguments) {
  public McpPrompt {
    arguments = List.copyOf(arguments);
  }

  /// An argument of a prompt.
  public record Argument(String name, String description, boolean isRequired) {}

  /// A message of a prompt with its arguments.
  ///
  /// @param isOfUser whether it speaks for the user; else it is an example of a reply
  public record Line(boolean isOfUser, Content content) {}
}
