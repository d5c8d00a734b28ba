package dev.superstep.board;

import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatRequest;
import dev.superstep.schema.Description;
import dev.superstep.schema.Limits;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// Lets an agent work on a board: it looks at the tasks, adds some, claims one, says how far it is,
/// and finishes it. To approve, reject and unblock is left to people and to the program.
///
/// ```java
/// Agent.named("writer").model(model).middleware(BoardTools.of(board, "writer-1"))
/// ```
///
/// Each turn of the agent, and each of its tool calls, is a heartbeat. A call that runs again after
/// a crash does nothing twice. [#tools] alone serve agents that are given no middleware. Immutable.
public final class BoardTools implements Middleware {
  private static final int BRIEF = 300;
  private static final ToolPolicy WRITES =
      ToolPolicy.of(SideEffect.EXTERNAL_SERVICE).idempotent().backgroundSafe();

  private final Board board;
  private final String worker;

  private BoardTools(Board board, String worker) {
    this.board = board;
    this.worker = BoardTextLimits.name("worker", worker);
  }

  /// Tools of one worker.
  ///
  /// @param worker a name that no other worker at work on the board has
  public static BoardTools of(Board board, String worker) {
    return new BoardTools(board, worker);
  }

  record Listing(@Description("Only those; all if left out.") Optional<Set<TaskStatus>> statuses) {}

  record Adding(
      @Limits(minLength = 1, maxLength = NewTask.TITLE_MAX) String title,
      @Description("What to do, with everything that is needed for it.")
          @Limits(maxLength = NewTask.DETAILS_MAX)
          String details) {}

  record Claiming(@Description("Its id; what is ready first if left out.") Optional<String> task) {}

  /// The kind of an update.
  enum Says {
    /// Progress of the work.
    NOTE,
    /// A reason why the work cannot continue.
    BLOCK,
    /// The task is given back.
    RELEASE
  }

  record Updating(
      @Description("The id of the task that you have claimed.") String task,
      @Description("NOTE: how far you are. BLOCK: you cannot go on. RELEASE: you give it back.")
          Says says,
      @Description("What there is to say; with BLOCK, why.")
          @Limits(minLength = 1, maxLength = BoardTextLimits.TEXT_MAX)
          String text) {}

  record Finishing(
      @Description("The id of the task that you have claimed.") String task,
      @Description("What came of it, or where that is.")
          @Limits(maxLength = BoardTextLimits.TEXT_MAX)
          String result) {}

  /// The fields of a task that a model sees.
  record View(
      String id,
      String title,
      TaskStatus status,
      Optional<String> worker,
      Optional<String> details,
      Optional<String> reason,
      Optional<String> note,
      Optional<String> result) {
    static View whole(BoardTask task) {
      return of(task, NewTask.DETAILS_MAX);
    }

    static View brief(BoardTask task) {
      return of(task, BRIEF);
    }

    private static View of(BoardTask task, int most) {
      return new View(
          task.id(),
          task.title(),
          task.status(),
          task.status() == TaskStatus.IN_PROGRESS ? task.worker() : Optional.empty(),
          shortened(task.details(), most),
          shortened(task.reason(), most),
          shortened(task.note(), most),
          shortened(task.result(), most));
    }

    private static Optional<String> shortened(String text, int most) {
      if (text.isEmpty()) return Optional.empty();
      if (text.length() <= most) return Optional.of(text);
      boolean isSplit = Character.isHighSurrogate(text.charAt(most - 1));
      return Optional.of(text.substring(0, isSplit ? most - 1 : most) + "...");
    }
  }

  record Views(List<View> tasks) {}

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.of(
                "board_list",
                "Lists the tasks of the board that you share with others.",
                Listing.class,
                (given, _) -> list(given))
            .withPolicy(ToolPolicy.readOnly()),
        Tool.of(
                "board_add",
                "Adds a task to the board, for whoever claims it. A person may have to approve it.",
                Adding.class,
                this::add)
            .withPolicy(WRITES),
        Tool.of(
                "board_claim",
                "Claims a task that is READY, so that nobody else works on it. You have one at a"
                    + " time.",
                Claiming.class,
                (given, _) -> claim(given))
            .withPolicy(WRITES),
        Tool.of(
                "board_update",
                "Says something of the task that you have claimed.",
                Updating.class,
                (given, _) -> update(given))
            .withPolicy(WRITES),
        Tool.of(
                "board_finish",
                "Says that the task that you have claimed is done.",
                Finishing.class,
                (given, _) -> finish(given))
            .withPolicy(WRITES));
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    beat();
    return request;
  }

  @Override
  public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
      throws Exception {
    beat();
    return next.call(call);
  }

  /// Of a lost claim the model learns when it uses it.
  private void beat() {
    try {
      board.claimOf(worker).ifPresent(board::heartbeat);
    } catch (ClaimLost | UnknownTask _) {
      // Between the two calls; nothing to beat for.
    }
  }

  private Views list(Listing given) {
    var all = board.tasks();
    var wanted = given.statuses();
    return new Views(
        all.stream()
            .filter(task -> wanted.isEmpty() || wanted.get().contains(task.status()))
            .map(View::brief)
            .toList());
  }

  private View add(Adding given, ToolContext context) {
    var task = NewTask.of(given.title()).details(given.details()).submitted();
    return View.whole(board.add(task.key(key(context.idempotencyKey()))));
  }

  /// So that a call which runs again adds nothing, whatever the length of its own key.
  private static String key(String call) {
    return "call/" + UUID.nameUUIDFromBytes(call.getBytes(StandardCharsets.UTF_8));
  }

  private Object claim(Claiming given) {
    var own = board.claimOf(worker);
    // This may be the call that claimed it, run again.
    if (own.isPresent() && given.task().map(own.get().id()::equals).orElse(true)) {
      return View.whole(own.get().task());
    }
    if (given.task().isPresent()) {
      return View.whole(board.claim(worker, given.task().get()).task());
    }
    return board
        .claim(worker)
        .<Object>map(claim -> View.whole(claim.task()))
        .orElse("Nothing can be claimed now.");
  }

  private View update(Updating given) {
    var claim = claimed(given.task());
    return View.whole(
        switch (given.says()) {
          case NOTE -> board.note(claim, given.text());
          case BLOCK -> board.block(claim, given.text());
          case RELEASE -> {
            var noted = board.note(claim, given.text());
            yield board.release(new Claim(noted));
          }
        });
  }

  private Object finish(Finishing given) {
    var task = board.find(given.task());
    boolean isDone =
        task.filter(now -> now.status() == TaskStatus.DONE)
            .filter(now -> now.worker().equals(Optional.of(worker)))
            .isPresent();
    if (isDone) return View.whole(task.orElseThrow());
    return View.whole(board.finish(claimed(given.task()), given.result()));
  }

  private Claim claimed(String id) {
    return board
        .claimOf(worker)
        .filter(claim -> claim.id().equals(id))
        .orElseThrow(() -> new NotClaimed(board.name(), worker, id));
  }

  @Override
  public String toString() {
    return "BoardTools[" + board + ", worker " + worker + "]";
  }
}
