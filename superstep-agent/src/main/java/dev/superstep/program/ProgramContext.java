package dev.superstep.program;

import dev.superstep.model.ChatModel;
import java.nio.file.Path;

/// The context of a program, given from outside. Immutable.
///
/// @param model the model that the user chose
/// @param output the folder for what the program makes; it may not exist yet
public record ProgramContext(ChatModel model, Path output) {}
