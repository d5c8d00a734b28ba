package dev.superstep.mcp;

import dev.superstep.credential.Credential;
import dev.superstep.error.InvalidUse;
import dev.superstep.json.Json;
import dev.superstep.mcp.internal.question.InputRounds;
import dev.superstep.mcp.internal.task.TaskHandle;
import dev.superstep.node.NodeContext;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolHandler;
import dev.superstep.tool.ToolOutsideGraph;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Calls a tool of a server for an agent, and asks people what has to be asked. Immutable, safe for
/// many threads.
///
/// What a server asks in the middle of a call waits longer than any connection. So that attempt is
/// given up, the run asks and may be stored, and when the answer has come the call is made again
/// with the answer at hand: see `docs/decisions`.
///
/// @param credential of the person, which nothing that is saved or told may have
record McpToolCall(
    McpServer server, McpConnection connection, String tool, Optional<Credential> credential)
    implements ToolHandler<Json> {
  private static final int QUESTIONS_MAX = 20;
  private static final int ATTEMPTS_MAX = 100;

  McpToolCall(McpServer server, McpConnection connection, String tool) {
    this(server, connection, tool, Optional.empty());
  }

  @Override
  public Object call(Json arguments, ToolContext context) throws Exception {
    try {
      var node = node(context);
      var refused = refused(context, node);
      if (refused.isPresent()) return refused.get();
      boolean canWait = node.isPresent() && node.get().isPersistent();
      if (canWait && (server.isAsking() || server.keep() != null)) {
        return saving(arguments, context, node.get());
      }
      var outcome = made(arguments, context, null, Optional.empty());
      var task = outcome.task();
      if (task.isEmpty()) return outcome.result();
      return followed(task.get(), arguments, context, null).result();
    } catch (McpFailed e) {
      return ToolResult.error(String.valueOf(e.getMessage()));
    }
  }

  private static Optional<NodeContext> node(ToolContext context) {
    try {
      return Optional.of(context.node());
    } catch (ToolOutsideGraph _) {
      return Optional.empty();
    }
  }

  /// Asks about a tool that is not as it was approved.
  ///
  /// @return why it is not called, if it is not
  private Optional<ToolResult> refused(ToolContext context, Optional<NodeContext> node)
      throws InterruptedException {
    var offered = connection.offered(tool);
    if (offered.isEmpty()) {
      return Optional.of(ToolResult.error("The server does not offer this tool any more."));
    }
    var definition = offered.get().definition();
    var approved = server.pins().approved(server.name(), tool);
    if (approved.filter(definition::equals).isPresent()) return Optional.empty();
    if (node.isEmpty() || !node.get().isPersistent()) {
      return Optional.of(
          ToolResult.error(
              "The server has changed this tool since it was approved, and nobody is here to"
                  + " approve it."));
    }
    var change = new McpToolChange(server.name(), tool, approved, definition);
    var answer = context.ask(McpQuestions.TOOL_CHANGED, change);
    if (!answer.approved()) {
      return Optional.of(
          ToolResult.error(
              "The server has changed this tool, and a person does not approve it. "
                  + answer.note().orElse("")));
    }
    server.pins().approve(server.name(), tool, definition);
    return Optional.empty();
  }

  private ToolResult saving(Json arguments, ToolContext context, NodeContext node)
      throws Exception {
    var given = new ArrayList<PreparedAnswers.Given>();
    var going = Optional.<Json>empty();
    for (int i = 1; i <= QUESTIONS_MAX; i++) {
      var answers = List.copyOf(given);
      var rest = going;
      var outcome =
          once(
              node,
              "mcp " + context.callId() + " " + i,
              () -> attempt(arguments, context, new PreparedAnswers(answers), rest));
      if (outcome.asked().isEmpty() && outcome.rest().isPresent()) {
        // It goes on as a task, which is saved now: whatever happens, the tool is not called again.
        going = outcome.rest();
        given.clear();
        continue;
      }
      if (outcome.asked().isEmpty()) return outcome.result();
      var asked = outcome.asked().get();
      var answer = answer(asked, context);
      var task = outcome.task();
      going =
          task.isPresent()
              ? Optional.of(task.get().replying(asked.reply(answer)).json())
              : outcome.rest().map(json -> InputRounds.answered(json, asked.reply(answer)));
      // A call that goes on does not ask again what was answered, but for tasks whose questions
      // have no key.
      if (going.isPresent()) given.clear();
      boolean asksAgain = task.map(one -> one.open().isEmpty()).orElse(going.isEmpty());
      if (asksAgain) given.add(new PreparedAnswers.Given(asked, answer));
    }
    return ToolResult.error(
        "The server asked more than " + QUESTIONS_MAX + " questions, and was not answered.");
  }

  /// Makes the call, or follows the task that it has become.
  private CallOutcome attempt(
      Json arguments, ToolContext context, PreparedAnswers answers, Optional<Json> rest)
      throws InterruptedException {
    var task = rest.flatMap(TaskHandle::read);
    if (task.isPresent()) return followed(task.get(), arguments, context, answers);
    // Without leave to ask, nobody is asked: what the server wants to know is cancelled.
    return made(arguments, context, server.isAsking() ? answers : null, rest);
  }

  /// Follows a task. It is cancelled with the run, and when the time of the call is over; it goes
  /// on if only this process does not wait for it any more.
  private CallOutcome followed(
      TaskHandle task, Json arguments, ToolContext context, @Nullable PreparedAnswers answers)
      throws InterruptedException {
    var caller = connection.caller();
    var call = new ToolCaller.Call(tool, arguments, context.timeLeft(), Optional.empty());
    var prepared = server.isAsking() ? answers : null;
    try {
      var outcome = caller.follow(task, call, text -> told(text, context), prepared);
      return credential.map(outcome::without).orElse(outcome);
    } catch (InterruptedException e) {
      boolean isOver = context.timeLeft().isZero();
      if (isOver || node(context).map(NodeContext::isCancelled).orElse(true)) caller.cancel(task);
      throw e;
    }
  }

  private interface Attempt {
    CallOutcome made() throws Exception;
  }

  /// Makes an attempt as a step. A call that is made again, such as with another credential, has
  /// steps of its own.
  private static CallOutcome once(NodeContext node, String key, Attempt attempt) throws Exception {
    var begun = new AtomicBoolean();
    for (int i = 1; ; i++) {
      try {
        return node.step(
            i == 1 ? key : key + "-" + i,
            CallOutcome.class,
            () -> {
              begun.set(true);
              return attempt.made();
            });
      } catch (InvalidUse e) {
        if (begun.get() || i == ATTEMPTS_MAX) throw e;
      }
    }
  }

  /// Asks a person until the answer fits.
  private static McpAnswer answer(McpElicitation asked, ToolContext context) {
    for (int i = 0; i < QUESTIONS_MAX; i++) {
      var answer = context.ask(McpQuestions.ELICITED, asked);
      if (asked.problems(answer).isEmpty()) return answer;
    }
    return McpAnswer.cancel();
  }

  private CallOutcome made(
      Json arguments, ToolContext context, @Nullable PreparedAnswers answers, Optional<Json> rest)
      throws InterruptedException {
    var made = new ToolCaller.Call(tool, arguments, least(context), rest);
    var outcome = connection.call(made, text -> told(text, context), answers);
    return credential.map(outcome::without).orElse(outcome);
  }

  private Duration least(ToolContext context) {
    var left = context.timeLeft();
    var most = server.limits().call();
    return left.compareTo(most) < 0 ? left : most;
  }

  private void told(String text, ToolContext context) {
    node(context).ifPresent(NodeContext::heartbeat);
    if (text.isEmpty()) return;
    var plain = credential.map(one -> one.hiddenIn(ToolResult.of(text)).text()).orElse(text);
    context.progress(plain);
  }

  @Override
  public String toString() {
    return "McpToolCall[" + server.name() + ", " + tool + "]";
  }
}
