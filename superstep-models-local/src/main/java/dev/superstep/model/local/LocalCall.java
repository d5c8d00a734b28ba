package dev.superstep.model.local;

import dev.superstep.message.Message;
import dev.superstep.model.ChatModel.DeltaListener;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ModelRef;
import dev.superstep.model.Usage;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// An attempt at one answer of a child. For one thread.
final class LocalCall {
  private static final int TEXT_MAX = 16 * 1024 * 1024;

  private final ModelRef ref;
  private final Duration limit;
  private final LocalModel.Deadline deadline;
  private final @Nullable DeltaListener listener;
  private final StringBuilder text = new StringBuilder();
  private boolean unfinished;

  LocalCall(
      ModelRef ref,
      Duration limit,
      LocalModel.Deadline deadline,
      @Nullable DeltaListener listener) {
    this.ref = ref;
    this.limit = limit;
    this.deadline = deadline;
    this.listener = listener;
  }

  /// Waits until a new child has loaded the weights.
  void awaitReady(LlamaProcess child, Duration startLimit) throws InterruptedException, ChildDied {
    unfinished = true;
    var wait = deadline.left().compareTo(startLimit) < 0 ? deadline.left() : startLimit;
    switch (child.next(wait)) {
      case null -> throw timeout(ref, limit, "loading the weights");
      case ChildReply.Ready _ -> {}
      case ChildReply.Failed(_, var kind, var why) ->
          throw new ModelException(kind, "`" + ref + "` could not be loaded: " + why + ".");
      case ChildReply.Ended _ -> throw new ChildDied();
      case ChildReply.Piece _, ChildReply.Done _ -> throw malformed("spoke before it was ready");
    }
    unfinished = false;
  }

  /// Sends the order and collects the answer.
  ChatReply run(LlamaProcess child, ChildRequest order) throws InterruptedException, ChildDied {
    unfinished = true;
    try {
      child.send(order);
    } catch (IOException _) {
      throw new ChildDied();
    }
    while (true) { // ends with the deadline at the latest
      switch (child.next(deadline.left())) {
        case null -> throw timeout(ref, limit, "answering");
        case ChildReply.Piece(var id, var piece) -> add(id, order, piece);
        case ChildReply.Done done -> {
          return reply(done, order);
        }
        case ChildReply.Failed(_, var kind, var why) -> {
          unfinished = false;
          throw new ModelException(kind, "`" + ref + "` cannot answer: " + why + ".");
        }
        case ChildReply.Ended _ -> throw new ChildDied();
        case ChildReply.Ready _ -> throw malformed("said twice that it is ready");
      }
    }
  }

  private void add(long id, ChildRequest order, String piece) {
    if (id != order.id()) throw malformed("answered another order");
    if (text.length() + piece.length() > TEXT_MAX) {
      throw new ModelException(
          Kind.TOO_LARGE,
          "`%s` gave an answer of more than %d characters. Ask for fewer tokens."
              .formatted(ref, TEXT_MAX));
    }
    text.append(piece);
    if (listener != null) listener.onText(piece);
  }

  private ChatReply reply(ChildReply.Done done, ChildRequest order) {
    if (done.id() != order.id()) throw malformed("answered another order");
    unfinished = false;
    return new ChatReply(
        Message.assistant(text.toString()),
        new Usage(done.promptTokens(), 0, done.outputTokens(), 0),
        done.whole() ? ChatReply.Finish.STOP : ChatReply.Finish.LENGTH,
        ref,
        ChatReply.Source.LIVE);
  }

  /// Returns true if a listener has received text that a second attempt would repeat.
  boolean hasEmitted() {
    return listener != null && !text.isEmpty();
  }

  /// Returns true if the child may still be busy with this call.
  boolean isUnfinished() {
    return unfinished;
  }

  static ModelException timeout(ModelRef ref, Duration limit, String where) {
    return new ModelException(
        Kind.TIMEOUT,
        "`%s` gave no answer within %s ms (%s); allow more time or ask for fewer tokens."
            .formatted(ref, limit.toMillis(), where));
  }

  private ModelException malformed(String what) {
    return new ModelException(Kind.MALFORMED, "The process of `" + ref + "` " + what + ".");
  }

  /// The child ended by itself.
  static final class ChildDied extends Exception {}
}
