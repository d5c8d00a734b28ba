package dev.superstep.cli.chat;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.view.OpenQuestion;
import dev.superstep.cli.view.RunSummary;
import dev.superstep.cli.view.ThreadLocation;
import dev.superstep.json.SuperstepException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// A conversation with another program: each line of standard input is a message, and a turn that
/// fails or waits ends it. One thread at a time.
final class PipedChat {
  private final Host host;
  private final ChatParts parts;
  private final ChatTurns turns;
  private final ChatThread thread;
  private final ThreadLocation place;

  /// @param place the thread for `superstep resume`
  PipedChat(Host host, ChatParts parts, ChatTurns turns, ChatThread thread, ThreadLocation place) {
    this.host = host;
    this.parts = parts;
    this.turns = turns;
    this.thread = thread;
    this.place = place;
  }

  /// Takes all lines.
  ///
  /// @return the exit code
  int run() throws IOException, InterruptedException {
    try {
      return turns();
    } catch (SuperstepException e) {
      var kept = new ThreadLocation(thread.name(), place.store(), thread.command());
      var isKept = thread.state().isPresent();
      return parts.output().output().failed(e, isKept ? Optional.of(kept) : Optional.empty());
    }
  }

  private int turns() throws IOException, InterruptedException {
    parts.partner().announce(parts.output()::notice, thread.name());
    var state = thread.open();
    if (state.filter(ChatLoop::isUnfinished).isPresent()) {
      parts.output().notice("the last turn is resumed");
      var end = turns.resume(thread, state.get().questions());
      if (isOver(end)) return end(end);
    }
    var input = ChatInput.lines(host.terminal(), "");
    for (var line = input.next(); !line.isClosed(); line = input.next()) {
      var text = line.text();
      if (text == null || text.isBlank()) continue;
      thread.seen();
      var end = turns.send(thread, text.strip());
      if (isOver(end)) return end(end);
    }
    return end(ChatTurns.End.ANSWERED);
  }

  private static boolean isOver(ChatTurns.End end) {
    return end == ChatTurns.End.WAITING || end == ChatTurns.End.STOPPED;
  }

  private int end(ChatTurns.End end) {
    var kind =
        switch (end) {
          case ANSWERED, CANCELLED -> RunSummary.Kind.COMPLETED;
          case WAITING -> RunSummary.Kind.INTERRUPTED;
          case STOPPED -> RunSummary.Kind.STOPPED;
        };
    var output = parts.output();
    if (kind == RunSummary.Kind.COMPLETED && !output.isJson()) {
      output.goOn(thread.command());
      return kind.exit();
    }
    var manifest = parts.partner().manifest(thread.name());
    var open =
        kind == RunSummary.Kind.INTERRUPTED
            ? thread.state().map(state -> state.questions()).orElse(List.of())
            : List.<dev.superstep.checkpoint.Interrupt>of();
    var questions = OpenQuestion.all(parts.partner()::words, open);
    output.output().end(new RunSummary(kind, place, manifest, questions, Optional.empty()));
    return kind.exit();
  }

  /// Refuses options that are for people.
  static void check(ChatRequest request) {
    if (request.looks().plain()) {
      throw new UsageError("usage", "--plain is for a terminal, and --json and pipes are none.");
    }
  }
}
