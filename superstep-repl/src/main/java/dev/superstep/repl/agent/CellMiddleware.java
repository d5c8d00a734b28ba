package dev.superstep.repl.agent;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Usage;
import dev.superstep.node.Question;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.host.TextSource;
import dev.superstep.repl.internal.call.SessionAccess;
import dev.superstep.repl.internal.json.HostJson;
import dev.superstep.repl.record.CellRecord;
import dev.superstep.repl.record.SessionEvent;
import dev.superstep.repl.record.TurnRecord;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Makes an agent work by cells. Its model sees text alone: a cell is the fenced block of a reply,
/// and what it did is told by a message of the user. To the agent it is the call of a tool, so that
/// the reply, the cell and each call in it are kept like those of any agent. Immutable.
final class CellMiddleware implements Middleware {
  static final String TOOL = "ragsh";

  private static final int CHARACTERS_PER_TOKEN = 4;
  private static final String DIRECT =
      "Answer the question from the text that follows it. Be brief and exact.";

  private final SessionAccess access;
  private final TextSource preset;
  private final String script;

  /// @param script a cell that runs first; empty if there is none
  CellMiddleware(SessionAccess access, TextSource preset, String script) {
    this.access = access;
    this.preset = preset;
    this.script = script;
  }

  /// The arguments of the tool.
  record Cell(String code) {}

  @Override
  public String name() {
    return "cells";
  }

  @Override
  public Touches touches() {
    return Touches.PREFIX;
  }

  @Override
  public List<Channel<?, ?>> channels() {
    return List.of(ReplAgent.CELLS, ReplAgent.TURNS, ReplAgent.INPUT);
  }

  @Override
  public List<Question<?, ?>> questions() {
    return access.questions();
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.of(
                TOOL,
                "Runs a cell of the session.",
                Cell.class,
                (_, _) -> {
                  throw new IllegalStateException("a cell is run by its middleware");
                })
            .withoutTimeout());
  }

  private TextSource text(AgentContext context) {
    var given = context.node().find(ReplAgent.CONTEXT).orElse(preset);
    return isNone(given) ? preset : given;
  }

  @SuppressWarnings("ReferenceEquality") // there is one such text
  private static boolean isNone(TextSource given) {
    return given == ReplAgent.NO_TEXT;
  }

  private boolean isDirect(AgentContext context) {
    long most = (long) access.limits().directTokens() * CHARACTERS_PER_TOKEN;
    long length = text(context).length();
    return script.isBlank() && length > 0 && length <= most && cells(context).isEmpty();
  }

  private static Optional<TypedSession> typed(AgentContext context) {
    // What runs inside of a typed cell is not typed.
    var node = context.node();
    return node.enclosingTasks().isEmpty() ? node.find(TypedSession.KEY) : Optional.empty();
  }

  private static String run(AgentContext context) {
    return typed(context).isPresent() ? TypedSession.RUN : context.run();
  }

  private static List<CellRecord> cells(AgentContext context) {
    return context.find(ReplAgent.CELLS).orElse(List.of()).stream()
        .filter(cell -> cell.run().equals(run(context)))
        .toList();
  }

  // --- what the model sees ---

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    if (typed(context).isPresent()) return request;
    boolean isDirect = isDirect(context);
    var messages = new ArrayList<Message>();
    if (isDirect) messages.add(Message.system(DIRECT));
    boolean isFirst = true;
    for (var message : request.messages()) {
      switch (message) {
        case SystemMessage system -> {
          if (!isDirect) messages.add(system);
        }
        case AssistantMessage reply -> messages.add(plain(reply));
        case ToolMessage told -> messages.add(Message.user(told.text()));
        case UserMessage asked -> {
          if (isDirect) messages.add(Message.user(asked.text() + "\n\n" + all(text(context))));
          else if (isFirst) {
            messages.add(Message.user(SessionPrompt.about(text(context)) + asked.text()));
          } else messages.add(asked);
          isFirst = false;
        }
      }
    }
    int leading = isDirect ? 1 : request.prefix();
    return request
        .withMessages(messages)
        .withPrefix(leading, request.cacheHint())
        .withTools(List.of());
  }

  /// A reply as text alone. A script that ran first is shown as a cell of the model; of the calls
  /// of others in the same conversation, the names are shown.
  private static AssistantMessage plain(AssistantMessage reply) {
    if (!reply.text().isBlank() || reply.calls().isEmpty()) return reply.withCalls(List.of());
    var call = reply.calls().getFirst();
    if (call.tool().equals(TOOL)) {
      var cell = Json.parse(call.arguments()).as(Cell.class);
      return new AssistantMessage(
          reply.id(), "```ragsh\n" + cell.code().stripTrailing() + "\n```", List.of());
    }
    var names = reply.calls().stream().map(ToolCall::tool).collect(Collectors.joining(", "));
    return new AssistantMessage(reply.id(), "(Calls " + names + ".)", List.of());
  }

  private static String all(TextSource source) {
    return source.read(0, source.length());
  }

  @Override
  public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    if (typed(context).isPresent()) return given(lastTyped(request), context);
    if (!script.isBlank() && cells(context).isEmpty()) return given(script, context);
    var reply = next.call(request);
    boolean isDirect = isDirect(context);
    if (isDirect) {
      if (context.node().hasListeners()) {
        context.node().emit(ReplAgent.ROUTE, new ReplAgent.Route("direct"));
      }
      return reply;
    }
    var message = reply.message();
    boolean isWhole = reply.finish() != ChatReply.Finish.LENGTH;
    var code = Fence.code(message.text(), isWhole);
    if (code.isEmpty() && wasNudged(request)) return reply;
    return new ChatReply(
        message.withCalls(List.of(call(code.orElse(""), context))),
        reply.usage(),
        ChatReply.Finish.TOOL_CALLS,
        reply.model(),
        reply.source(),
        reply.receipt());
  }

  /// Records the reply: here, since this runs also for one that was saved by another process.
  @Override
  public ChatReply afterModel(ChatReply reply, AgentContext context) {
    boolean isAsked =
        reply.source() != ChatReply.Source.CACHED || !reply.message().text().isEmpty();
    if (typed(context).isPresent() || !isAsked) return reply;
    boolean isDirect = isDirect(context);
    context.write(
        ReplAgent.TURNS,
        new TurnRecord(
            context.run(),
            context.parent().orElse(""),
            isDirect ? "" : context.conversation().getLast().text(),
            reply.message().text(),
            isDirect ? "direct" : "session",
            reply.model().toString(),
            reply.usage()));
    return reply;
  }

  /// A reply for which no model was asked.
  private static ChatReply given(String code, AgentContext context) {
    return new ChatReply(
        new AssistantMessage("", "", List.of(call(code, context))),
        Usage.NONE,
        ChatReply.Finish.TOOL_CALLS,
        context.model().ref(),
        ChatReply.Source.CACHED);
  }

  private static String lastTyped(ChatRequest request) {
    return request.messages().stream()
        .filter(UserMessage.class::isInstance)
        .reduce((_, last) -> last)
        .map(Message::text)
        .orElse("");
  }

  private static ToolCall call(String code, AgentContext context) {
    return new ToolCall("cell-" + (context.modelCalls() + 1), TOOL, Json.of(new Cell(code)).text());
  }

  private static boolean wasNudged(ChatRequest request) {
    return request.messages().getLast().text().equals(Feedback.NUDGE);
  }

  // --- cells ---

  @Override
  public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
      throws Exception {
    if (!call.tool().equals(TOOL)) return next.call(call);
    var code = Codec.of(Cell.class).decode(Json.parse(call.arguments())).code();
    var typed = typed(context);
    if (typed.isPresent()) return typed(typed.get(), code, context);
    if (code.isBlank()) return ToolResult.of(Feedback.NUDGE);
    var before = cells(context);
    var text = text(context);
    var given = given(before, context);
    var session =
        LiveSessions.of(context)
            .session(
                context.run(), before, () -> new LiveSession(access, text, (_, _) -> text, given));
    var ran = ran(session, before.size() + 1, code, context);
    var record = CellRecord.of(context.run(), code, ran.calls(), ran.result());
    context.write(ReplAgent.CELLS, record);
    var answer = ran.result().answer();
    if (answer != null) {
      boolean isUnread = before.isEmpty() && text.length() > 0 && !session.hasRead();
      if (!isUnread) {
        publish(context, new SessionEvent.Answered(context.run(), before.size() + 1));
        return ToolResult.of(shown(answer)).asFinal();
      }
      return ToolResult.of(Feedback.UNREAD);
    }
    checkErrors(before, record);
    return ToolResult.of(
        Feedback.of(before.size() + 1, code, ran.result(), session.counts().all()));
  }

  private static LiveSession.Ran ran(
      LiveSession session, int number, String code, AgentContext context)
      throws InterruptedException {
    publish(context, new SessionEvent.CellStarted(context.run(), number, code));
    var ran = session.run(code, List.of(), context);
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedException("the cell was cancelled");
    }
    var record = CellRecord.of(context.run(), code, ran.calls(), ran.result());
    publish(
        context,
        new SessionEvent.CellCompleted(
            context.run(), number, record.code(), record.output(), record.changed()));
    return ran;
  }

  private static void publish(AgentContext context, SessionEvent event) {
    if (context.node().hasListeners()) context.node().emit(event.type(), event);
  }

  /// The variables of the session, which are saved with its first cell. Sessions that an earlier
  /// version began have none.
  private Map<String, HostValue> given(List<CellRecord> before, AgentContext context) {
    if (!before.isEmpty()) {
      return context
          .find(ReplAgent.INPUT)
          .filter(input -> input.run().equals(context.run()))
          .map(InputVariables::read)
          .orElse(Map.of());
    }
    var input = InputVariables.of(context);
    context.write(ReplAgent.INPUT, input);
    return InputVariables.read(input);
  }

  /// Runs a cell of a person. Its run ends with it, whatever came of it.
  private static ToolResult typed(TypedSession typed, String code, AgentContext context)
      throws InterruptedException {
    var before = cells(context);
    var session = typed.session(before);
    var loaded = context.node().find(TypedSession.TEXT);
    if (loaded.isPresent()) {
      context.write(ReplAgent.CELLS, session.load(TypedSession.RUN, loaded.get()));
      return ToolResult.of("`context` is " + loaded.get().name()).asFinal();
    }
    if (code.isBlank()) return ToolResult.of("Nothing was typed.").asFinal();
    var ran = ran(session, before.size() + 1, code, context);
    context.write(
        ReplAgent.CELLS, CellRecord.of(TypedSession.RUN, code, ran.calls(), ran.result()));
    var answer = ran.result().answer();
    var told = answer == null ? null : shown(answer);
    int number = 1 + (int) before.stream().filter(cell -> cell.text().isEmpty()).count();
    typed.ran(new TypedSession.Ran(number, code, ran.result(), ran.calls(), told));
    var left = session.counts().all();
    return ToolResult.of(Feedback.of(number, code, ran.result(), left)).asFinal();
  }

  private void checkErrors(List<CellRecord> before, CellRecord last) {
    if (last.code().isEmpty()) return;
    int failed = 1;
    for (var cell : before.reversed()) {
      if (cell.code().isEmpty()) break;
      failed++;
    }
    if (failed >= access.limits().errors()) throw new CellsKeptFailing(failed, last.code());
  }

  private static String shown(HostValue answer) {
    return answer instanceof HostValue.Words(var text) ? text : HostJson.of(answer).text();
  }

  @Override
  public String toString() {
    return "CellMiddleware";
  }
}
