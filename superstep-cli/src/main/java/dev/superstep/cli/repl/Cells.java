package dev.superstep.cli.repl;

import dev.superstep.agent.AgentResult;
import dev.superstep.agent.AgentStream;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.screen.Style;
import dev.superstep.cli.view.AnswerText;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.MalformedJson;
import dev.superstep.json.SuperstepException;
import dev.superstep.repl.agent.TextOpener;
import dev.superstep.repl.agent.TypedSession;
import dev.superstep.run.Answers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs the cells of a session, each as a run on its thread, and asks what they ask. One thread at
/// a time, but for [#interrupt].
final class Cells {
  private final Host host;
  private final TypedSession session;
  private final Supplier<RunOptions> base;
  private final Output output;
  private @Nullable AgentStream<String> running;
  private boolean wasInterrupted;

  /// The place of results.
  ///
  /// @param isSeen whether a person sits there, so that Ctrl-C is about the cell alone
  record Output(SessionOutput results, SessionPerson person, boolean isSeen) {}

  /// @param base the options of the next run on the thread
  Cells(Host host, TypedSession session, Supplier<RunOptions> base, Output output) {
    this.host = host;
    this.session = session;
    this.base = base;
    this.output = output;
  }

  /// The ends of a cell.
  enum End {
    COMPLETE,
    /// It ended with an error, which was shown.
    FAILED,
    /// A person stopped it; nothing of it is left.
    STOPPED,
    /// It waits for an answer that nobody gives now.
    WAITING
  }

  /// Runs a cell.
  ///
  /// @param name in place of `cell N`; empty for none
  End run(String cell, String name) throws InterruptedException {
    var options = session.on(base.get());
    return finished(() -> session.agent().stream(cell, options), options, name);
  }

  /// Goes on with a cell that did not get to its end in another process, or waits for answers.
  End resume(List<Interrupt> open) throws InterruptedException {
    var options = session.on(base.get());
    if (open.isEmpty()) {
      return finished(() -> session.agent().streamResume(Answers.none(), options), options, "");
    }
    var answers = answers(open);
    if (answers.isEmpty()) return End.WAITING;
    return finished(() -> session.agent().streamResume(answers.get(), options), options, "");
  }

  /// Makes a text the `context` of the cells that follow.
  End load(TextOpener.Loaded text) throws InterruptedException {
    var options = session.loading(base.get(), text);
    return finished(
        () -> session.agent().stream("# context: " + text.name(), options), options, "");
  }

  private End finished(Supplier<AgentStream<String>> first, RunOptions options, String name)
      throws InterruptedException {
    var costs = new CellCosts(host.terminal(), output.isSeen());
    var start = first;
    try {
      while (true) {
        var result = follow(start.get(), costs);
        costs.clear();
        switch (result) {
          case AgentResult.Answered<String> _, AgentResult.Partial<String> _ -> {
            return shown(costs, name);
          }
          case AgentResult.Stopped<String> _ -> {
            return stopped(options);
          }
          case AgentResult.Waiting<String>(var questions) -> {
            var answers = answers(questions);
            if (answers.isEmpty()) return End.WAITING;
            start = () -> session.agent().streamResume(answers.get(), options);
          }
        }
      }
    } catch (SuperstepException e) {
      costs.clear();
      output.results().error(e.code(), String.valueOf(e.getMessage()));
      var _ = session.agent().giveUp(options);
      return End.FAILED;
    }
  }

  private AgentResult<String> follow(AgentStream<String> stream, CellCosts costs)
      throws InterruptedException {
    try (stream) {
      begin(stream);
      host.stop().runStarted(stream.run(), () -> {});
      for (Event event : stream) costs.on(event);
      return stream.result();
    } finally {
      begin(null);
      host.stop().runEnded(() -> {});
    }
  }

  private synchronized void begin(@Nullable AgentStream<String> stream) {
    running = stream;
    if (stream != null) wasInterrupted = false;
  }

  /// Stops the cell that runs, if one does.
  synchronized void interrupt() {
    var now = running;
    if (now == null) return;
    wasInterrupted = true;
    now.cancel();
  }

  private synchronized boolean wasInterrupted() {
    return wasInterrupted;
  }

  private End shown(CellCosts costs, String name) {
    var ran = session.takeLast();
    if (ran.isEmpty()) return End.COMPLETE;
    var cell = ran.get();
    var named = name.isEmpty() ? "cell " + cell.number() : name;
    output.results().cell(cell, named, costs.of(cell));
    return cell.result().isComplete() ? End.COMPLETE : End.FAILED;
  }

  private End stopped(RunOptions options) throws InterruptedException {
    if (!wasInterrupted()) return End.WAITING;
    // Behind the `^C` that the terminal shows.
    output.results().newLine();
    // The thread takes another cell then.
    var _ = session.agent().giveUp(options);
    output
        .results()
        .say(
            "stopped; variables are as before the cell, and what it called is done", Style.WARNING);
    return End.STOPPED;
  }

  // --- questions ---

  /// Asks everything that is open; empty if something is not answered now.
  private Optional<Answers> answers(List<Interrupt> open) {
    var all = Answers.none();
    for (var question : open) {
      var answer = answer(question);
      if (answer.isEmpty()) return Optional.empty();
      all = all.and(answer.get());
    }
    return Optional.of(all);
  }

  private Optional<Answers> answer(Interrupt question) {
    if (question.question().equals(Review.QUESTION.name())) {
      var decisions = new ArrayList<Review.Decision>();
      for (var call : question.payload().as(Review.class).actions()) {
        var decision = output.person().decide(call);
        if (decision.isEmpty()) return Optional.empty();
        decisions.add(decision.get());
      }
      var all = new Review.Decisions(decisions);
      return Optional.of(Answers.of(question.id(), Review.QUESTION, all));
    }
    return output
        .person()
        .answer(text(question), question.answerType())
        .map(typed -> Answers.json(question.id(), AnswerText.read(question, typed)));
  }

  private static String text(Interrupt question) {
    try {
      return question.payload().as(String.class);
    } catch (MalformedJson _) {
      return question.payload().text();
    }
  }
}
