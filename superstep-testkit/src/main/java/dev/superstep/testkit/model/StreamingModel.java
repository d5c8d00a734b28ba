package dev.superstep.testkit.model;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// A model whose replies come in the pieces that a test chooses, and if it is gated, when the test
/// lets them: events between two pieces can be asserted without a sleep.
///
/// ```java
/// var model = StreamingModel.gated(List.of(thinking("Hm."), text("Hel"), text("lo")));
/// model.release(2);
/// model.awaitPieces(2);                   // and now the third is not there yet
/// ```
///
/// Safe for many threads. Each call takes the next reply.
public final class StreamingModel implements ChatModel {
  private final Deque<List<Piece>> replies;
  private final List<ChatRequest> requests = new ArrayList<>();
  private final Gate gate;
  private final Count delivered = new Count("pieces");

  private StreamingModel(List<List<Piece>> replies, boolean isGated) {
    this.replies = new ArrayDeque<>(replies.stream().map(List::copyOf).toList());
    this.gate = new Gate(isGated);
  }

  /// A piece of a reply.
  public sealed interface Piece {
    /// Of its text.
    record Text(String text) implements Piece {}

    /// Of what it thinks before it speaks.
    record Thinking(String text) implements Piece {}

    /// Of a tool call.
    record Call(ToolCallPiece piece) implements Piece {}

    /// An error in place of all that was still to come.
    record Fails(ModelException error) implements Piece {}
  }

  /// A piece of text.
  public static Piece text(String text) {
    return new Piece.Text(text);
  }

  /// A piece of thought.
  public static Piece thinking(String text) {
    return new Piece.Thinking(text);
  }

  /// The first piece of a tool call.
  ///
  /// @param index counts the calls of the reply, from 0
  public static Piece call(int index, String id, String tool, String arguments) {
    return new Piece.Call(new ToolCallPiece(index, id, tool, arguments));
  }

  /// A further piece of the arguments of a tool call.
  public static Piece more(int index, String arguments) {
    return new Piece.Call(new ToolCallPiece(index, "", "", arguments));
  }

  /// The reply breaks off here.
  public static Piece fails(ModelException.Kind kind) {
    return new Piece.Fails(new ModelException(kind, "The reply broke off, as the test said."));
  }

  /// Gives each reply as fast as it is heard, one a call.
  @SafeVarargs
  @SuppressWarnings("varargs")
  public static StreamingModel replying(List<Piece>... replies) {
    return new StreamingModel(List.of(replies), false);
  }

  /// Gives each piece only when it is released; also to those who wait for the whole reply.
  @SafeVarargs
  @SuppressWarnings("varargs")
  public static StreamingModel gated(List<Piece>... replies) {
    return new StreamingModel(List.of(replies), true);
  }

  /// Lets this many more pieces pass.
  public void release(int pieces) {
    gate.release(pieces);
  }

  /// Lets all pieces pass from now on.
  public void open() {
    gate.open();
  }

  /// Waits until a piece is held back: somebody has sent a request, and has received everything
  /// before the piece.
  ///
  /// @throws AssertionError if that does not come within half a minute
  public void awaitBlocked() throws InterruptedException {
    gate.blocked().await(1);
  }

  /// Waits until this many pieces have been heard, of all replies together.
  ///
  /// @throws AssertionError if that does not come within half a minute
  public void awaitPieces(int pieces) throws InterruptedException {
    delivered.await(pieces);
  }

  /// Returns the number of pieces that were received, of all replies together.
  public int pieces() {
    return delivered.now();
  }

  /// Everything that the model was asked, oldest first.
  public synchronized List<ChatRequest> requests() {
    return List.copyOf(requests);
  }

  @Override
  public ModelRef ref() {
    return new ModelRef("scripted", "streaming");
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    return stream(request, _ -> {});
  }

  /// @throws ModelException UNAVAILABLE if there are no more replies
  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    var pieces = next(request);
    for (var piece : pieces) {
      gate.pass();
      deliver(piece, listener);
      delivered.add(1);
    }
    return whole(pieces);
  }

  private synchronized List<Piece> next(ChatRequest request) {
    requests.add(request);
    var next = replies.poll();
    if (next != null) return next;
    throw new ModelException(
        ModelException.Kind.UNAVAILABLE,
        "The streaming model has no reply to call %d. Give it one more, or ask less often."
            .formatted(requests.size()));
  }

  private static void deliver(Piece piece, DeltaListener listener) {
    switch (piece) {
      case Piece.Text(var text) -> listener.onText(text);
      case Piece.Thinking(var text) -> listener.onThinking(text);
      case Piece.Call(var call) -> listener.onToolCall(call);
      case Piece.Fails(var error) -> throw error;
    }
  }

  private ChatReply whole(List<Piece> pieces) {
    var text = new StringBuilder();
    var thinking = new StringBuilder();
    var calls = new TreeMap<Integer, ToolCall>();
    for (var piece : pieces) {
      switch (piece) {
        case Piece.Text(var more) -> text.append(more);
        case Piece.Thinking(var more) -> thinking.append(more);
        case Piece.Call(var more) -> calls.merge(more.index(), first(more), StreamingModel::joined);
        case Piece.Fails _ -> throw new IllegalStateException("it was thrown");
      }
    }
    var content = new ArrayList<Content>();
    if (!thinking.isEmpty()) {
      content.add(new Content.Thinking(thinking.toString(), Optional.empty()));
    }
    content.addAll(Content.of(text.toString()));
    var message = new AssistantMessage("", content, List.copyOf(calls.values()));
    var finish = calls.isEmpty() ? ChatReply.Finish.STOP : ChatReply.Finish.TOOL_CALLS;
    var reply = ScriptedModel.reply(message, Usage.NONE, finish);
    return new ChatReply(reply.message(), reply.usage(), finish, ref(), reply.source());
  }

  private static ToolCall first(ToolCallPiece piece) {
    return new ToolCall(piece.id(), piece.tool(), piece.arguments());
  }

  private static ToolCall joined(ToolCall before, ToolCall more) {
    var id = before.id().isEmpty() ? more.id() : before.id();
    var tool = before.tool().isEmpty() ? more.tool() : before.tool();
    return new ToolCall(id, tool, before.arguments() + more.arguments());
  }
}
