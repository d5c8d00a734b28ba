package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.screen.Style;
import dev.superstep.terminal.TerminalConversation;
import java.time.Duration;

/// Reads along with a conversation that another terminal has. Changes nothing.
final class ConversationWatch {
  private static final Duration PAUSE = Duration.ofMillis(300);

  private final ConversationOutput output;

  ConversationWatch(ConversationOutput output) {
    this.output = output;
  }

  /// Tells what happens until the conversation ends.
  ///
  /// @return the exit code
  int follow(TerminalConversation conversation) throws InterruptedException {
    output.say(
        "Another terminal has this conversation; here it can only be read. Ctrl-C ends that.",
        Style.WARNING);
    while (true) {
      var view = conversation.view();
      output.view(view);
      if (view.status().isFinal()) return ExitCodes.COMPLETED;
      Thread.sleep(PAUSE);
    }
  }
}
