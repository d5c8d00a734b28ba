package dev.superstep.cli.chat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadNames;
import dev.superstep.cli.screen.Style;
import dev.superstep.graph.Threads;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.run.ThreadState;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// A conversation with a person: takes messages and commands until there are no more. One thread at
/// a time.
final class ChatLoop {
  private static final int RECENT = 6;
  private static final int RECENT_LINES = 6;
  private static final int ALL_LINES = 1_000;
  private static final int THREADS_MAX = 10;

  private final Host host;
  private final ChatRequest request;
  private final ChatPartner partner;
  private final Checkpointer store;
  private final ChatTurns turns;
  private final ChatOutput output;
  private ChatThread thread;
  private boolean isPending;
  private boolean isWaiting;
  private boolean wasGivenUp;

  /// @param thread the first one
  ChatLoop(Host host, ChatRequest request, ChatParts parts, ChatTurns turns, ChatThread thread) {
    this.host = host;
    this.request = request;
    this.partner = parts.partner();
    this.store = parts.store();
    this.output = parts.output();
    this.turns = turns;
    this.thread = thread;
  }

  /// The exit code: whether something waits for an answer.
  int exit() {
    output.goOn(thread.command());
    return isWaiting ? ExitCodes.INTERRUPTED : ExitCodes.COMPLETED;
  }

  /// Greets, shows what was said before, and goes on with a turn that did not get to its end.
  void begin() throws InterruptedException {
    partner.announce(output::notice, thread.name());
    var tools = thread.agent().tools();
    var offered = tools.isEmpty() ? "no tools" : "tools " + String.join(", ", tools);
    output.say(
        "superstep: agent " + thread.agent().name() + ", " + offered + "; /help tells more",
        Style.FAINT);
    var state = thread.open();
    if (state.isEmpty()) return;
    show(state.get().state().get(thread.agent().messages()), RECENT, RECENT_LINES);
    if (isUnfinished(state.get())) goOn(state.get());
  }

  static boolean isUnfinished(ThreadState state) {
    return !state.next().isEmpty() || !state.questions().isEmpty();
  }

  private void goOn(ThreadState state) throws InterruptedException {
    output.say("(The last turn is resumed.)", Style.FAINT);
    note(() -> turns.resume(thread, state.questions()));
  }

  /// Takes everything from an input.
  void run(ChatInput input) throws IOException, InterruptedException {
    while (!host.stop().isDraining()) {
      var entry = input.next();
      if (entry.isClosed()) return;
      var text = entry.text();
      if (text == null) {
        if (wasGivenUp) return;
        wasGivenUp = true;
        output.say("(Ctrl-C again leaves.)", Style.FAINT);
        continue;
      }
      wasGivenUp = false;
      if (text.isBlank()) continue;
      var line = ChatLine.of(text);
      if (line instanceof ChatLine.Exit) return;
      take(line);
    }
  }

  private void take(ChatLine line) throws InterruptedException {
    switch (line) {
      case ChatLine.Say(var text) -> send(text);
      case ChatLine.Help _ -> help();
      case ChatLine.ListThreads _ -> threads();
      case ChatLine.Begin _ -> another();
      case ChatLine.History _ -> show(thread.messages(), Integer.MAX_VALUE, ALL_LINES);
      case ChatLine.Cost _ -> output.say(thread.costs().text(), Style.PLAIN);
      case ChatLine.Retry _ -> retry();
      case ChatLine.Exit _ -> {}
      case ChatLine.Unknown(var why) -> output.say(why, Style.WARNING);
    }
  }

  private void send(String text) throws InterruptedException {
    if (hasMoved()) {
      output.say("(Your message was not sent; the arrow keys bring it back.)", Style.WARNING);
      return;
    }
    note(() -> {
      if (isPending) {
        output.say("(The previous turn is abandoned.)", Style.FAINT);
        var _ = thread.agent().giveUp(thread.options());
      }
      return turns.send(thread, text);
    });
  }

  private boolean hasMoved() {
    if (!thread.hasMoved()) return false;
    output.say("(Another process went on with this thread:)", Style.WARNING);
    var state = thread.open();
    isPending = state.filter(ChatLoop::isUnfinished).isPresent();
    show(thread.messages(), RECENT, RECENT_LINES);
    return true;
  }

  private void retry() throws InterruptedException {
    var state = thread.open();
    if (state.isEmpty() || !isUnfinished(state.get())) {
      isPending = false;
      output.say("There is no turn to continue.", Style.WARNING);
      return;
    }
    goOn(state.get());
  }

  /// A turn.
  private interface Work {
    ChatTurns.End run() throws InterruptedException;
  }

  private void note(Work work) throws InterruptedException {
    isWaiting = false;
    try {
      var end = work.run();
      isPending = end == ChatTurns.End.WAITING || end == ChatTurns.End.STOPPED;
      isWaiting = end == ChatTurns.End.WAITING;
      if (isWaiting) {
        output.say("(It waits for your answer: /retry asks again.)", Style.WARNING);
      }
    } catch (SuperstepException e) {
      output.failed(e);
      var state = thread.state();
      isPending = state.filter(ChatLoop::isUnfinished).isPresent();
      if (isPending) {
        output.say(
            "(Finished work is saved: /retry continues the turn, a message abandons it.)",
            Style.FAINT);
      }
    } finally {
      thread.seen();
    }
  }

  private void another() {
    thread =
        new ChatThread(
            host, request, partner, store, ThreadNames.fresh(partner.name(), host.chance()));
    isPending = false;
    isWaiting = false;
    var _ = thread.open();
    output.say("superstep: thread " + thread.name(), Style.FAINT);
  }

  private void help() {
    for (var command : ChatLine.COMMANDS) {
      output.say("%-9s %s".formatted(command.get(0), command.get(1)), Style.PLAIN);
    }
    output.say("Ctrl-C cancels a turn, not the conversation.", Style.PLAIN);
  }

  private void threads() {
    var mark = partner.mark();
    var query = ThreadQuery.newest(THREADS_MAX).where(mark.getKey(), mark.getValue());
    var all = Threads.in(store).list(query);
    if (all.isEmpty()) output.say("There are none yet.", Style.PLAIN);
    for (var each : all) {
      var at = each.checkpoint().at().truncatedTo(ChronoUnit.SECONDS);
      var here = each.thread().equals(thread.name()) ? "  (this one)" : "";
      output.say(at + "  " + each.thread() + here, Style.PLAIN);
    }
  }

  private void show(List<Message> messages, int most, int lines) {
    for (var message : messages.subList(Math.max(0, messages.size() - most), messages.size())) {
      switch (message) {
        case UserMessage said -> output.message("> ", said.text(), lines);
        case AssistantMessage said -> {
          if (!said.text().isBlank()) output.message("| ", said.text(), lines);
          for (var call : said.calls()) output.tool("* " + call.tool() + " " + call.arguments());
        }
        case ToolMessage _, SystemMessage _ -> {}
      }
    }
  }
}
