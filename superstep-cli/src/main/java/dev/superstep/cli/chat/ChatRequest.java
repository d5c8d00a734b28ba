package dev.superstep.cli.chat;

import dev.superstep.cli.view.RunFlags;
import java.util.Optional;

/// The arguments of `superstep chat`. Immutable.
///
/// @param folder a program whose agent is talked to; empty for a plain agent
/// @param thread the thread to go on with, or the name of a new one
/// @param model the URL of the model, if the user names one
/// @param store the file of threads, if the user names one
/// @param servers whether the tools of MCP servers are offered
public record ChatRequest(
    Optional<String> folder,
    Optional<String> thread,
    Optional<String> model,
    Optional<String> store,
    boolean servers,
    Looks looks) {
  /// The way in which it is shown.
  ///
  /// @param plain whether lines are only added
  public record Looks(RunFlags.Events events, boolean plain, boolean debug) {}
}
