package dev.superstep.acp;

import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.RunStream;
import dev.superstep.json.SuperstepException;
import dev.superstep.lock.Mutex;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import dev.superstep.run.ThreadState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A turn of a session: a prompt, or the rest of an earlier one, until nothing is left to do or a
/// person has to write. One thread works; it may be cancelled by any other.
final class Turn {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.acp");
  private static final int TITLE_MAX = 80;

  private final Served served;
  private final Session session;
  private final Updates updates;
  private final Questions questions;
  private final Asking asking;
  private final TurnEvents events;
  private final Mutex lock = new Mutex();
  private final CountDownLatch over = new CountDownLatch(1);
  private final boolean isRest;
  private volatile @Nullable Turn before;
  private @Nullable RunStream running;
  private boolean isCancelled;
  private boolean isStopped;

  /// @param isRest whether it is what an earlier turn left
  Turn(Served served, Session session, Connection connection, boolean isRest) {
    this.isRest = isRest;
    this.served = served;
    this.session = session;
    this.updates = session.updates();
    this.questions =
        new Questions(served.source(), updates.calls(), served.limits().shownCharacters());
    this.asking = new Asking(served, session, new Asking.Ways(connection, questions, this::cancel));
    this.events = new TurnEvents(served.source(), updates);
  }

  boolean isRest() {
    return isRest;
  }

  /// Makes it begin when another one is over.
  void waitFor(Turn other) {
    before = other;
  }

  // --- What stops it ---

  /// Cancels it: nothing is left to do for the session afterwards.
  void cancel() {
    stop(true);
  }

  /// Stops it, so that it goes on when the session is loaded.
  void stop() {
    stop(false);
  }

  private void stop(boolean cancels) {
    var other = before;
    if (other != null) other.stop(cancels);
    try (var _ = lock.hold()) {
      if (cancels) isCancelled = true;
      else isStopped = true;
      if (running != null) running.cancel();
    }
    asking.stop();
  }

  private boolean isCancelled() {
    try (var _ = lock.hold()) {
      return isCancelled;
    }
  }

  private boolean isEnding() {
    try (var _ = lock.hold()) {
      return isCancelled || isStopped;
    }
  }

  /// Waits for its end.
  boolean awaitEnd(long millis) throws InterruptedException {
    return over.await(millis, TimeUnit.MILLISECONDS);
  }

  // --- The ways to begin it ---

  /// Work that ends with a stop reason.
  private interface Work {
    String run() throws RpcFailure, InterruptedException;
  }

  /// Does a prompt.
  ///
  /// @return the stop reason
  String prompt(List<Content> prompt) throws RpcFailure, InterruptedException {
    return whole(() -> {
      var other = before;
      if (other != null) other.over.await();
      if (isEnding()) return ended();
      told();
      var state = state();
      if (state.filter(Turn::isUnfinished).isPresent()) {
        var asked = state.get().questions();
        if (!asked.isEmpty()) return answered(prompt, asked);
        giveUp();
      }
      return begun(prompt);
    });
  }

  private String begun(List<Content> prompt) throws RpcFailure, InterruptedException {
    if (session.title().isEmpty()) {
      var line = Content.text(prompt).strip().lines().findFirst().orElse("");
      session.title(Wire.cut(line, TITLE_MAX));
      if (!line.isEmpty()) updates.titled(session.title());
    }
    var input = served.source().input(prompt);
    return follow(() -> served.source().graph().stream(input, session.options()));
  }

  /// A prompt while questions are open: the answer to one that is asked in words. Choices are asked
  /// again, and the prompt is done after them.
  private String answered(List<Content> prompt, List<Interrupt> asked)
      throws RpcFailure, InterruptedException {
    for (var question : asked) {
      if (questions.choices(question, new ArrayList<>()).isPresent()) continue;
      var read = questions.read(question, Content.text(prompt));
      if (read.problem().isPresent()) {
        updates.said("", read.problem().get() + "\n\n" + questions.text(question));
        return StopReasons.END_TURN;
      }
      var answers = Answers.json(question.id(), read.answer());
      return follow(() -> served.source().graph().streamResume(answers, session.options()));
    }
    var reason = goneOn(asked);
    if (reason.equals(StopReasons.CANCELLED)) return reason;
    if (state().filter(Turn::isUnfinished).isPresent()) {
      updates.said("", "\n\n(Your message was not sent, since this has to be answered first.)");
      return reason;
    }
    return begun(prompt);
  }

  /// Goes on with what an earlier turn has left: asks what is open, and does the rest.
  void goOn() {
    try {
      var _ =
          whole(() -> {
            var state = state();
            if (state.filter(Turn::isUnfinished).isEmpty()) return StopReasons.END_TURN;
            return goneOn(state.get().questions());
          });
    } catch (RpcFailure e) {
      updates.said("", "(The earlier turn could not go on: " + e.text() + ")");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.error("An earlier turn could not go on", e);
      updates.said("", "(The earlier turn could not go on; the log tells why.)");
    }
  }

  boolean isOver() {
    return over.getCount() == 0;
  }

  /// Ends it before it has begun, since nothing is to be done.
  void leave() {
    session.end(this);
    over.countDown();
  }

  private String goneOn(List<Interrupt> asked) throws RpcFailure, InterruptedException {
    var answers = asking.ask(asked);
    if (isEnding()) return ended();
    if (!asked.isEmpty() && answers.all().isEmpty()) return StopReasons.END_TURN;
    return follow(() -> served.source().graph().streamResume(answers, session.options()));
  }

  private String whole(Work work) throws RpcFailure, InterruptedException {
    try {
      return work.run();
    } catch (SuperstepException e) {
      if (isEnding()) return ended();
      var cause = StopReasons.cause(e);
      updates.calls().endAll(false);
      var limit = StopReasons.of(cause);
      if (limit.isEmpty()) {
        LOG.warn("A turn of session {} failed", session.id(), e);
        throw new RpcFailure(RpcFailure.INTERNAL, String.valueOf(cause.getMessage()));
      }
      updates.said("", "(" + cause.getMessage() + ")");
      return limit.get();
    } finally {
      session.end(this);
      over.countDown();
    }
  }

  private Optional<ThreadState> state() {
    return served.source().graph().state(session.options());
  }

  static boolean isUnfinished(ThreadState state) {
    return !state.next().isEmpty() || !state.questions().isEmpty();
  }

  private void told() {
    var servers = session.unusedServers();
    if (servers.isEmpty()) return;
    updates.said(
        "superstep:servers",
        "(The MCP servers of the editor are not started here: %s. Name them in the folder of the"
                .formatted(Wire.cut(String.join(", ", servers), 1_000))
            + " agent, where a person confirms them.)\n\n");
  }

  // --- The run ---

  private String follow(Supplier<RunStream> first) throws RpcFailure, InterruptedException {
    var start = first;
    while (true) {
      switch (once(start)) {
        case Outcome.Completed(var end) -> {
          updates.calls().endAll(true);
          if (served.source().conversation().isEmpty()) {
            updates.said("", served.source().ending().apply(end));
          }
          return events.reason();
        }
        case Outcome.Stopped(var reason, _) -> {
          return stopped(reason);
        }
        case Outcome.Interrupted(var asked) -> {
          var answers = asking.ask(asked);
          if (isEnding()) return ended();
          if (answers.all().isEmpty()) return StopReasons.END_TURN;
          start = () -> served.source().graph().streamResume(answers, session.options());
        }
      }
    }
  }

  private Outcome once(Supplier<RunStream> start) throws InterruptedException {
    try (var stream = start.get()) {
      runs(stream);
      for (var event : stream) events.on(event);
      return stream.outcome();
    } finally {
      runs(null);
    }
  }

  private void runs(@Nullable RunStream stream) {
    try (var _ = lock.hold()) {
      running = stream;
      if (stream != null && (isCancelled || isStopped)) stream.cancel();
    }
  }

  private String stopped(Outcome.Reason reason) throws RpcFailure, InterruptedException {
    if (isEnding()) return ended();
    return switch (reason) {
      case DEADLINE, TASK_LIMIT -> {
        updates.calls().endAll(false);
        updates.said("", "(The turn took longer than it may.)");
        yield StopReasons.MAX_REQUESTS;
      }
      case CANCELLED, DRAINED, PAUSED -> {
        updates.said("", "(The turn was stopped before its end. Load the session to go on.)");
        yield StopReasons.END_TURN;
      }
    };
  }

  private String ended() throws InterruptedException {
    if (isCancelled()) {
      try {
        giveUp();
      } catch (SuperstepException e) {
        // The next prompt gives it up.
        LOG.warn("The cancelled turn of session {} has work left", session.id(), e);
      }
      updates.calls().endAll(false);
    }
    return StopReasons.CANCELLED;
  }

  /// Leaves nothing to do on the thread: its next message begins anew.
  private void giveUp() throws InterruptedException {
    if (state().filter(Turn::isUnfinished).isEmpty()) return;
    var graph = served.source().graph();
    var options = session.options();
    if (!served.source().isAgent()) {
      var _ = graph.update(options.discardPending());
      return;
    }
    var steering = Steering.standard();
    steering.human("", new Steer.Cancel("given up"));
    var _ = graph.resume(Answers.none(), options.with(Steering.KEY, steering).rerunWaiting());
  }

  /// Notes what the editor was told of before the turn.
  void known(List<Message> messages) {
    events.known(messages);
  }
}
