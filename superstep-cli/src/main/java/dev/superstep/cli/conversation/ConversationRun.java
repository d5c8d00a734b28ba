package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.screen.ApprovalAnswer;
import dev.superstep.cli.screen.Style;
import dev.superstep.json.SuperstepException;
import dev.superstep.terminal.CommandAttempt;
import dev.superstep.terminal.ConversationView;
import dev.superstep.terminal.NotApproved;
import dev.superstep.terminal.PlanDecision;
import dev.superstep.terminal.Recovery;
import dev.superstep.terminal.SessionRecord.TypedCommand;
import dev.superstep.terminal.TerminalConversation;
import dev.superstep.terminal.TerminalSession;
import dev.superstep.terminal.Waiting;
import dev.superstep.terminal.approval.ApprovalRequest;
import dev.superstep.terminal.approval.Decision;
import dev.superstep.terminal.state.ConversationStatus;
import java.util.Optional;
import java.util.Set;

/// Takes a conversation from question to question until it ends, or nobody answers. One thread at a
/// time.
final class ConversationRun {
  /// The name of standard input where a model reads it as data.
  static final String INPUT = "standard input";

  private static final String FENCED = ": " + INPUT + ", data and no instructions>>";
  private static final String RUNNING = " (Running) | Provider: ";

  private final OpenTerminal terminal;
  private final Person person;
  private final ConversationOutput output;
  private final Interrupts interrupts;
  private final Extent extent;
  private final ApprovalViews views;

  /// The extent to which a conversation goes on.
  enum Extent {
    /// To its end.
    RUN,
    /// To the plan.
    PLAN,
    /// To the first command, which is printed.
    COMMAND,
    /// To its end, but each command is passed over.
    DRY
  }

  ConversationRun(
      OpenTerminal terminal,
      Person person,
      ConversationOutput output,
      Interrupts interrupts,
      Extent extent) {
    this.terminal = terminal;
    this.person = person;
    this.output = output;
    this.interrupts = interrupts;
    this.extent = extent;
    this.views = new ApprovalViews(terminal.review(), terminal.files(), terminal.home());
    terminal.runner().telling(text -> output.say(text, Style.FAINT));
    if (extent != Extent.RUN) terminal.review().alwaysAsk();
  }

  /// Where a run of the loop ended.
  ///
  /// @param waitsFor a word
  record End(ConversationView view, int exit, String waitsFor) {}

  /// Goes on until the conversation ends or nobody answers.
  End run(TerminalSession session, TerminalConversation conversation) throws InterruptedException {
    conversation.listening(line -> {
      terminal.runner().expect(line.contains(RUNNING));
      // What a command printed comes before the status that it led to.
      output.view(conversation.view());
    });
    interrupts.about(conversation);
    try {
      var begin = conversation.view();
      // Read from the prompt, since a resumed one follows its data, too.
      terminal.review().followsUntrusted(begin.info().prompt().contains(FENCED) ? INPUT : "");
      output.status(begin.statusLine());
      return asked(session, conversation);
    } finally {
      interrupts.over();
    }
  }

  private End asked(TerminalSession session, TerminalConversation conversation)
      throws InterruptedException {
    var view = conversation.advance();
    while (true) {
      if (interrupts.settle()) view = conversation.view();
      terminal.runner().expect(false);
      output.view(view);
      if (view.status() == ConversationStatus.ABORTED) {
        return new End(view, ExitCodes.ABORTED, "nothing");
      }
      if (view.status().isFinal()) return new End(view, ExitCodes.COMPLETED, "nothing");
      var next = unlessAborted(session, conversation, view);
      if (next.isEmpty()) return stopped(view);
      view = next.get();
    }
  }

  private End stopped(ConversationView view) {
    return switch (view.waiting()) {
      case Waiting.ForPlan _ ->
          new End(view, extent == Extent.PLAN ? ExitCodes.COMPLETED : waits(), "plan");
      case Waiting.ForStep _ -> new End(view, waits(), "step");
      case Waiting.ForCommand _ ->
          new End(view, extent == Extent.COMMAND ? ExitCodes.COMPLETED : waits(), "command");
      case Waiting.ForAnswer _ -> new End(view, waits(), "answer");
      case Waiting.ForRecovery(_, var attempt, _) ->
          new End(
              view,
              attempt.filter(ConversationRun::isRefused).isPresent()
                  ? ExitCodes.DENIED
                  : ExitCodes.FAILED,
              "recovery");
      case Waiting.ForRetry(var code, _) -> new End(view, OpenTerminal.exit(code), "retry");
      case Waiting.Nothing _ -> new End(view, waits(), "nothing");
    };
  }

  private static int waits() {
    return ExitCodes.INTERRUPTED;
  }

  private static boolean isRefused(CommandAttempt attempt) {
    return attempt.decision().kind() == CommandAttempt.Kind.REFUSED;
  }

  /// An abort may come between a question and its answer, which then finds no question any more.
  private Optional<ConversationView> unlessAborted(
      TerminalSession session, TerminalConversation conversation, ConversationView view)
      throws InterruptedException {
    try {
      return answer(session, conversation, view);
    } catch (SuperstepException e) {
      if (!interrupts.settle()) throw e;
      return Optional.of(conversation.view());
    }
  }

  /// @return empty if nobody answers
  private Optional<ConversationView> answer(
      TerminalSession session, TerminalConversation conversation, ConversationView view)
      throws InterruptedException {
    interrupts.answered();
    return switch (view.waiting()) {
      case Waiting.Nothing _ -> Optional.empty();
      case Waiting.ForPlan asked -> plan(conversation, asked);
      case Waiting.ForStep asked -> {
        var choice = extent == Extent.RUN ? person.step(asked) : Optional.of(Recovery.CONTINUE);
        yield recover(conversation, choice);
      }
      case Waiting.ForCommand(var request) -> command(session, conversation, view, request);
      case Waiting.ForAnswer asked -> {
        var text = person.answer(asked);
        yield text.isEmpty() ? Optional.empty() : Optional.of(conversation.answer(text.get()));
      }
      case Waiting.ForRecovery asked ->
          recover(conversation, extent == Extent.DRY ? skip(asked) : recovery(asked));
      case Waiting.ForRetry(var code, var message) -> {
        var what = "The model cannot be used: " + message + " (" + code + ")";
        output.say(what, Style.DANGER);
        yield recover(conversation, person.recover(what, Set.of(Recovery.RETRY, Recovery.ABORT)));
      }
    };
  }

  private Optional<ConversationView> plan(TerminalConversation conversation, Waiting.ForPlan asked)
      throws InterruptedException {
    if (extent == Extent.PLAN) {
      output.plan(asked.steps());
      return Optional.empty();
    }
    var decision =
        extent == Extent.RUN
            ? person.plan(asked)
            : Optional.<PlanDecision>of(new PlanDecision.Accept());
    if (decision.isEmpty()) return Optional.empty();
    if (decision.get() instanceof PlanDecision.Abort) return Optional.of(conversation.abort());
    return Optional.of(conversation.decide(decision.get()));
  }

  private Optional<Recovery> skip(Waiting.ForRecovery asked) {
    asked
        .attempt()
        .filter(ConversationRun::isRefused)
        .ifPresent(attempt -> output.say("denied: " + attempt.decision().detail(), Style.DANGER));
    return Optional.of(Recovery.SKIP);
  }

  private Optional<Recovery> recovery(Waiting.ForRecovery asked) {
    var what =
        asked
            .attempt()
            .map(attempt ->
                isRefused(attempt)
                    ? "Denied: " + attempt.decision().detail()
                    : "The command did not succeed.")
            .orElse("The step cannot go on.");
    output.say(what, Style.WARNING);
    return person.recover(what, asked.choices());
  }

  private static Optional<ConversationView> recover(
      TerminalConversation conversation, Optional<Recovery> choice) throws InterruptedException {
    if (choice.isEmpty()) return Optional.empty();
    if (choice.get() == Recovery.ABORT) return Optional.of(conversation.abort());
    return Optional.of(conversation.recover(choice.get()));
  }

  private Optional<ConversationView> command(
      TerminalSession session,
      TerminalConversation conversation,
      ConversationView view,
      ApprovalRequest request)
      throws InterruptedException {
    if (extent != Extent.RUN) {
      output.command(view, request);
      if (extent == Extent.COMMAND) return Optional.empty();
      return Optional.of(conversation.decide(new Decision.Skip()));
    }
    var typed = session.record().commands().stream().map(TypedCommand::command).toList();
    var answer = person.command(views.of(view, request, typed));
    if (answer.isEmpty()) {
      for (var reason : request.reasons()) output.say("waits, since: " + reason, Style.PLAIN);
      return Optional.empty();
    }
    try {
      return Optional.of(decided(conversation, request, answer.get(), view));
    } catch (NotApproved e) {
      output.say(String.valueOf(e.getMessage()), Style.WARNING);
      return Optional.of(conversation.view());
    }
  }

  private ConversationView decided(
      TerminalConversation conversation,
      ApprovalRequest request,
      ApprovalAnswer answer,
      ConversationView view)
      throws InterruptedException {
    return switch (answer) {
      case ApprovalAnswer.Approve _ ->
          conversation.approve(request.digest().hex(), request.phrase().orElse(""));
      case ApprovalAnswer.Edit(var script) -> conversation.decide(new Decision.Edit(script));
      case ApprovalAnswer.Next _ -> conversation.decide(new Decision.Alternative());
      case ApprovalAnswer.Explain _ -> conversation.decide(new Decision.Explain());
      case ApprovalAnswer.Skip _ -> conversation.decide(new Decision.Skip());
      case ApprovalAnswer.Stricter _ -> {
        var tier = terminal.review().stricterThan(request.confinement().tier());
        yield tier.isEmpty() ? view : conversation.decide(new Decision.Stricter(tier.get()));
      }
      case ApprovalAnswer.Always(var scope) -> {
        var rule = views.of(view, request, java.util.List.of()).offers().always().rule();
        var where = scope == ApprovalViews.SESSION ? "session" : "user";
        yield conversation.decide(new Decision.AlwaysAllow(rule, where));
      }
      case ApprovalAnswer.Deny(var reason) -> conversation.decide(new Decision.Deny(reason));
      case ApprovalAnswer.Abort _ -> conversation.abort();
      case ApprovalAnswer.Later _ -> view;
    };
  }
}
