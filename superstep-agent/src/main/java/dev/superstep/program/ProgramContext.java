package dev.superstep.program;

import dev.superstep.model.ChatModel;
import dev.superstep.tool.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/// The context of a program, given from outside. Immutable.
///
/// @param model the model that the user chose
/// @param output the folder for what the program makes; it may not exist yet
/// @param offered gets the tools of [#tools], at the first call and not before
public record ProgramContext(ChatModel model, Path output, Supplier<List<Tool>> offered) {
  /// A context without tools.
  public ProgramContext(ChatModel model, Path output) {
    this(model, output, List::of);
  }

  /// The tools of the MCP servers that the folder and its user name, for programs that want them;
  /// none where none are named. Servers are started by the first call, once a person has confirmed
  /// them.
  ///
  /// @throws dev.superstep.json.SuperstepException if one is not confirmed or not there
  public List<Tool> tools() {
    return List.copyOf(offered.get());
  }
}
