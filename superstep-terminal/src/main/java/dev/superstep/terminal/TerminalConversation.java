package dev.superstep.terminal;

import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.RunStream;
import dev.superstep.graph.Threads;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.node.Question;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.StateUpdate;
import dev.superstep.run.ThreadState;
import dev.superstep.terminal.approval.Decision;
import dev.superstep.terminal.policy.ApprovalInput;
import dev.superstep.terminal.state.StatusLine;
import dev.superstep.terminal.undo.Change;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A conversation: a thread of the graph, and the ways in which a person moves it. Each call that
/// moves it runs until it waits again, on the calling thread; [#abort] may come from any other.
///
/// Two processes may open one: while a run of one of them is at work, the other can only look, and
/// its calls that move it throw [dev.superstep.checkpoint.ThreadBusy].
public final class TerminalConversation {
  private final Terminal terminal;
  private final SessionShell shell;
  private final String id;
  private final AtomicReference<@Nullable Input> begin;
  private final AtomicReference<@Nullable RunStream> atWork = new AtomicReference<>();
  private volatile ConversationListener listener = _ -> {};
  private final ReentrantLock ending = new ReentrantLock();
  private final ReentrantLock starting = new ReentrantLock();
  private volatile boolean isAborting;

  TerminalConversation(Terminal terminal, SessionShell shell, String id, Optional<Input> begin) {
    this.terminal = terminal;
    this.shell = shell;
    this.id = id;
    this.begin = new AtomicReference<>(begin.orElse(null));
  }

  /// Its id, which is the name of its thread.
  public String id() {
    return id;
  }

  /// Sets who hears of it while it is at work.
  public TerminalConversation listening(ConversationListener who) {
    listener = who;
    return this;
  }

  boolean isStored() {
    return terminal.graph().state(options()).isPresent();
  }

  private RunOptions options() {
    return terminal
        .options(id, shell)
        .listener(event -> {
          if (event instanceof Event.StepFinished) listener.changed(line());
        });
  }

  /// The conversation as it stands.
  public ConversationView view() {
    var state = terminal.graph().state(options());
    if (state.isEmpty()) return ConversationViews.begun(begin.get());
    return ConversationViews.of(id, state.get(), isAtWork());
  }

  /// Returns whether a run is at work on it, here or in another process.
  public boolean isAtWork() {
    return atWork.get() != null
        || Threads.in(terminal.threads()).find(id).flatMap(found -> found.holder()).isPresent();
  }

  /// The journal of its thread, which can also be followed.
  public ThreadJournal journal() {
    return ThreadJournal.of(terminal.threads(), id);
  }

  /// Lets it go on until it waits for somebody, or is at its end: at the beginning, and after its
  /// process died. What finished is not done again.
  public ConversationView advance() throws InterruptedException {
    terminal.parts().undo().prepare(shell.workspace());
    var input = begin.getAndSet(null);
    return input == null
        ? running(() -> terminal.graph().streamResume(Answers.none(), options()))
        : running(() -> terminal.graph().stream(input, options()));
  }

  /// Answers the question about the plan.
  public ConversationView decide(PlanDecision decision) throws InterruptedException {
    return answered(WorkflowState.PLAN, Redactions.plan(decision, terminal.parts().redact()));
  }

  /// Answers the question about a command. To approve it, use [#approve].
  public ConversationView decide(Decision decision) throws InterruptedException {
    return answered(
        WorkflowState.COMMAND, Redactions.decision(decision, terminal.parts().redact()));
  }

  /// Approves the command that waits, as it was shown: once, and now.
  ///
  /// @param digest of the request that the person read
  /// @param typed what the person typed; empty where one key is enough
  /// @throws NotApproved if another command waits by now, or what was typed is not what was asked
  ///   for; nothing is started
  public ConversationView approve(String digest, String typed) throws InterruptedException {
    if (!(view().waiting() instanceof Waiting.ForCommand(var request))) {
      throw new NotApproved("No command waits for a decision.");
    }
    if (!request.digest().hex().equals(digest)) {
      throw new NotApproved("Another command waits by now. Look at it.");
    }
    var phrase = request.phrase();
    if (phrase.isPresent() && !new ApprovalInput.Typed(phrase.get()).isGivenBy(typed)) {
      throw new NotApproved("This command is approved by typing `%s`.".formatted(phrase.get()));
    }
    var grant = terminal.approvals().grant(digest);
    return decide(new Decision.Approve(grant));
  }

  /// Answers the model's question.
  public ConversationView answer(String text) throws InterruptedException {
    return answered(WorkflowState.CLARIFY, terminal.parts().redact().apply(text));
  }

  /// Says what to do after a failure, an interruption or an error, or that the next step may begin.
  public ConversationView recover(Recovery choice) throws InterruptedException {
    return switch (view().waiting()) {
      case Waiting.ForStep _ -> answered(WorkflowState.NEXT_STEP, choice);
      case Waiting.ForRetry _ -> answered(WorkflowState.RETRY, choice);
      case Waiting.ForRecovery _,
          Waiting.ForPlan _,
          Waiting.ForCommand _,
          Waiting.ForAnswer _,
          Waiting.Nothing _ ->
          answered(WorkflowState.RECOVER, choice);
    };
  }

  /// The changes of the workspace by commands of this conversation that nobody took back, the
  /// oldest first.
  public List<Change> changes() {
    return takingBack().changes(view().attempts());
  }

  /// The result of [#takeBack].
  ///
  /// @param view with the question about the command, as before it ran
  /// @param paths of the workspace that are as before again
  /// @param lasting what was not taken back; sentences
  public record TakenBack(ConversationView view, List<String> paths, List<String> lasting) {
    public TakenBack {
      paths = List.copyOf(paths);
      lasting = List.copyOf(lasting);
    }
  }

  /// Takes the newest command back that was started: what it changed in the workspace, and the
  /// conversation to the question about it. It runs again only if it is approved again. Call it
  /// again for the command before.
  ///
  /// @throws dev.superstep.terminal.undo.UndoFailed if the workspace cannot be as before; nothing
  ///   is changed then
  /// @throws NotApproved if no command has run
  public TakenBack takeBack() throws InterruptedException {
    var taken = takingBack().newest();
    return new TakenBack(advance(), taken.paths(), taken.lasting());
  }

  private TakingBack takingBack() {
    return new TakingBack(terminal, shell, id, options());
  }

  private <A> ConversationView answered(Question<?, A> question, A answer)
      throws InterruptedException {
    var answers = Answers.to(question, answer);
    return running(() -> terminal.graph().streamResume(answers, options()));
  }

  private ConversationView running(Supplier<RunStream> run) throws InterruptedException {
    try (var stream = started(run)) {
      if (isAborting) stream.cancel();
      stream.cancelOnClose();
      var _ = stream.outcome();
    } finally {
      atWork.set(null);
    }
    // Whoever is told how it stands is told that it has ended, and not that it was stopped.
    if (!isAborting) return view();
    ending.lock();
    try {
      return view();
    } finally {
      ending.unlock();
    }
  }

  /// Starts a run. Whoever would stop it meanwhile waits until it can be stopped.
  private RunStream started(Supplier<RunStream> run) {
    starting.lock();
    try {
      var stream = run.get();
      atWork.set(stream);
      return stream;
    } finally {
      starting.unlock();
    }
  }

  /// The run that is at work, also one that starts just now.
  private @Nullable RunStream run() {
    starting.lock();
    try {
      return atWork.get();
    } finally {
      starting.unlock();
    }
  }

  private String line() {
    var state = terminal.graph().state(terminal.options(id, shell));
    if (state.isEmpty()) return "";
    var info = state.get().state().get(WorkflowState.INFO);
    var progress = state.get().state().get(WorkflowState.PROGRESS);
    return new StatusLine(info.name(), info.provider(), progress).text();
  }

  /// Stops what is at work, here and now. A command that runs is ended with all of its processes;
  /// nobody then knows how far it came. [#advance] goes on.
  public void pause() {
    var running = run();
    if (running != null) running.cancel();
  }

  /// Ends the conversation, wherever it stands. A command that runs is ended with all of its
  /// processes; no model is asked any more. Does nothing to one that is at its end.
  public ConversationView abort() throws InterruptedException {
    ending.lock();
    isAborting = true;
    try {
      var running = run();
      if (running != null) {
        running.cancel();
        var _ = running.outcome();
      }
      var state = terminal.graph().state(options());
      if (state.isEmpty()) begin.set(null);
      else if (!state.get().next().isEmpty()) end(state.get());
      return view();
    } finally {
      isAborting = false;
      ending.unlock();
    }
  }

  private void end(ThreadState state) {
    for (var node : state.next()) {
      var _ = terminal.graph().update(options(), StateUpdate.as(node, TerminalWorkflow.aborted()));
    }
  }

  @Override
  public String toString() {
    return "TerminalConversation[" + id + "]";
  }
}
