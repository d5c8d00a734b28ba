package dev.superstep.batch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.RequestDigest;
import dev.superstep.node.NodeContext;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/// A model inside a node whose calls are requests of a batch. The first time, a call queues its
/// request, and its run ends as waiting; when the result is there and the run is resumed, the call
/// returns it. A request is queued under an id that is made of the thread, the task and what is
/// asked, so that a node that runs again, in whatever process, finds it and asks nothing twice.
///
/// ```java
/// .questions(BatchWait.QUESTION)
/// .node("rate", (state, context) -> {
///   var reply = BatchModel.in(context, batches).call(ChatRequest.of(state.get(TEXT)));
///   return Update.of(RATING, reply.message().text());
/// })
/// ```
///
/// A request that has expired, or failed so that another attempt may help, is queued again: three
/// times in all. For the thread of the node, while the node runs. For agents, see [Batched].
public final class BatchModel implements ChatModel {
  private static final int ATTEMPTS = 3;
  private static final int ID_LENGTH = 48;

  private final NodeContext context;
  private final ModelBatches batches;

  private BatchModel(NodeContext context, ModelBatches batches) {
    this.context = context;
    this.batches = batches;
  }

  /// A model for a node of a graph that declares [BatchWait#QUESTION].
  public static BatchModel in(NodeContext context, ModelBatches batches) {
    return new BatchModel(context, batches);
  }

  @Override
  public ModelRef ref() {
    return batches.api().ref();
  }

  /// Returns true if a call of this request would not have to wait.
  boolean isReady(ChatRequest request) {
    return batches.result(id(request, 1)).isPresent();
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    var last = Optional.<BatchResult>empty();
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var result = awaited(id(request, attempt), request);
      last = Optional.of(result);
      switch (result) {
        case BatchResult.Answered(var body) -> {
          try {
            return batches.api().reply(request, body).withSource(ChatReply.Source.BATCHED);
          } catch (ModelException e) {
            if (!e.isRetryable() || attempt == ATTEMPTS) throw e;
          }
        }
        case BatchResult.Failed failed -> {
          var error = error(failed);
          if (!error.isRetryable()) throw error;
        }
        case BatchResult.Expired _ -> {}
      }
    }
    throw last.orElseThrow() instanceof BatchResult.Failed failed
        ? error(failed)
        : new ModelException(
            ModelException.Kind.TIMEOUT,
            "%s did not answer within the time of %d batches. Try again later, or without batches."
                .formatted(ref().url(), ATTEMPTS));
  }

  private BatchResult awaited(String id, ChatRequest request) throws InterruptedException {
    while (true) {
      var known = batches.result(id);
      if (known.isPresent()) return known.get();
      var wait = new BatchWait(id, context.thread().orElse(""), ref().url());
      // Nobody would get the reply of a run that is not saved, which is refused below.
      if (context.isPersistent()) batches.enqueue(wait, request);
      var _ = context.interrupt(BatchWait.QUESTION, wait);
      // Somebody answered although there is no result: it waits on.
      if (context.isCancelled()) throw new InterruptedException("the run was cancelled");
    }
  }

  private ModelException error(BatchResult.Failed failed) {
    var kind = ModelException.Kind.MALFORMED;
    for (var one : ModelException.Kind.values()) {
      if (one.name().equals(failed.kind())) kind = one;
    }
    return new ModelException(
        kind, "%s failed in a batch: %s".formatted(ref().url(), failed.why()));
  }

  private String id(ChatRequest request, int attempt) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      var parts =
          new String[] {
            context.thread().orElse(""),
            String.join("/", context.enclosingTasks()),
            context.task(),
            RequestDigest.of(request),
            String.valueOf(attempt)
          };
      for (var part : parts) {
        sha.update(part.getBytes(UTF_8));
        sha.update((byte) 0);
      }
      return HexFormat.of().formatHex(sha.digest()).substring(0, ID_LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return "BatchModel[" + ref() + "]";
  }
}
