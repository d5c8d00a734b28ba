package dev.superstep.cli.chat;

import dev.superstep.agent.AgentReport;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.AgentStream;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.screen.Style;
import dev.superstep.json.Json;
import dev.superstep.run.Answers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs the turns of a conversation and asks what they ask. One thread at a time, but for
/// [#interrupt].
final class ChatTurns {
  private final Host host;
  private final ChatOutput output;
  private final ChatPartner partner;
  private final ChatPerson person;
  private @Nullable AgentStream<?> running;
  private boolean wasInterrupted;

  ChatTurns(Host host, ChatOutput output, ChatPartner partner, ChatPerson person) {
    this.host = host;
    this.output = output;
    this.partner = partner;
    this.person = person;
  }

  /// The ends of a turn that did not fail.
  enum End {
    ANSWERED,
    /// It waits for an answer that nobody gives now.
    WAITING,
    /// A person cancelled it; the thread takes another message.
    CANCELLED,
    /// The process is told to end.
    STOPPED
  }

  /// Sends a message.
  End send(ChatThread thread, String text) throws InterruptedException {
    return follow(thread, () -> thread.agent().stream(text, thread.options()));
  }

  /// Goes on with a turn that did not get to its end, or waits for answers.
  End resume(ChatThread thread, List<Interrupt> open) throws InterruptedException {
    if (open.isEmpty()) {
      return follow(thread, () -> thread.agent().streamResume(Answers.none(), thread.options()));
    }
    var answers = answers(open);
    if (answers.isEmpty()) return End.WAITING;
    return follow(thread, () -> thread.agent().streamResume(answers.get(), thread.options()));
  }

  private End follow(ChatThread thread, Supplier<? extends AgentStream<?>> first)
      throws InterruptedException {
    Supplier<? extends AgentStream<?>> start = first;
    while (true) {
      var result = once(thread, start);
      switch (result) {
        case AgentResult.Answered<?>(var answer, _) -> {
          boolean isText = answer instanceof String;
          var text = isText ? String.valueOf(answer) : Json.of(answer).text();
          output.answer("answered", text, isText, thread.costs().text());
          return End.ANSWERED;
        }
        case AgentResult.Partial<?>(var text, AgentReport report) -> {
          output.answer("partial", text, true, thread.costs().text());
          output.say("(Stopped by a limit: " + report.reason() + ".)", Style.WARNING);
          return End.ANSWERED;
        }
        case AgentResult.Stopped<?> _ -> {
          return stopped(thread);
        }
        case AgentResult.Waiting<?>(var questions) -> {
          var answers = answers(questions);
          if (answers.isEmpty()) return End.WAITING;
          start = () -> thread.agent().streamResume(answers.get(), thread.options());
        }
      }
    }
  }

  private AgentResult<?> once(ChatThread thread, Supplier<? extends AgentStream<?>> start)
      throws InterruptedException {
    var events = new TurnEvents(output, thread.agent().name(), thread.costs());
    try (var stream = start.get()) {
      begin(stream);
      host.stop().runStarted(stream.run(), () -> {});
      for (var event : stream) events.on(event);
      return stream.result();
    } finally {
      begin(null);
      host.stop().runEnded(() -> output.goOn(thread.command()));
      output.endText();
      thread.spent(events.costs());
    }
  }

  private End stopped(ChatThread thread) throws InterruptedException {
    if (!wasInterrupted()) return End.STOPPED;
    // The thread takes another message then.
    var _ = thread.agent().giveUp(thread.options());
    output.turn("cancelled", "", thread.costs().text());
    output.say("(Cancelled; tools that had finished have done their work.)", Style.WARNING);
    return End.CANCELLED;
  }

  private synchronized void begin(@Nullable AgentStream<?> stream) {
    running = stream;
    if (stream != null) wasInterrupted = false;
  }

  /// Cancels the turn that runs.
  ///
  /// @return whether there was one, which was not cancelled before
  synchronized boolean interrupt() {
    var now = running;
    if (now == null || wasInterrupted) return false;
    wasInterrupted = true;
    now.cancel();
    return true;
  }

  private synchronized boolean wasInterrupted() {
    return wasInterrupted;
  }

  // --- questions ---

  /// Asks everything that is open; empty if something is not answered now.
  private Optional<Answers> answers(List<Interrupt> open) {
    var all = Answers.none();
    for (var question : open) {
      var answer = answer(question);
      if (answer.isEmpty()) return Optional.empty();
      all = all.and(Answers.json(question.id(), answer.get()));
    }
    return Optional.of(all);
  }

  private Optional<Json> answer(Interrupt question) {
    if (!question.question().equals(Review.QUESTION.name())) {
      return person.answer(question, partner.words(question));
    }
    var decisions = new ArrayList<Review.Decision>();
    for (var call : question.payload().as(Review.class).actions()) {
      var decision = person.decide(call);
      if (decision.isEmpty()) return Optional.empty();
      decisions.add(decision.get());
    }
    return Optional.of(Json.of(new Review.Decisions(decisions)));
  }
}
