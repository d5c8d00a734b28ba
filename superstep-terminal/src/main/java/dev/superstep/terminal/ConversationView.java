package dev.superstep.terminal;

import dev.superstep.terminal.state.ConversationEvent;
import dev.superstep.terminal.state.ConversationStatus;
import dev.superstep.terminal.state.Progress;
import dev.superstep.terminal.state.StatusLine;
import java.util.List;

/// A conversation as its thread stands: a projection, made when it is asked for. Immutable.
///
/// @param info what does not change
/// @param progress its status and that of its steps
/// @param attempts every command that was proposed, in order
/// @param history what happened, in order
/// @param waiting what it waits for
public record ConversationView(
    ConversationInfo info,
    Progress progress,
    List<CommandAttempt> attempts,
    List<ConversationEvent> history,
    Waiting waiting) {
  public ConversationView {
    attempts = List.copyOf(attempts);
    history = List.copyOf(history);
  }

  /// The status.
  public ConversationStatus status() {
    return progress.status();
  }

  /// The status line.
  public String statusLine() {
    return new StatusLine(info.name(), info.provider(), progress).text();
  }

  /// The conversation so far in a few lines.
  public ContextSummary summary() {
    return ContextSummary.of(progress, attempts);
  }

  /// The conversation as a Markdown page.
  public String markdown() {
    return ConversationMarkdown.of(this);
  }
}
