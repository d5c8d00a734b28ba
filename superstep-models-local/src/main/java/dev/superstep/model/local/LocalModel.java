package dev.superstep.model.local;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ResponseFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Runs a GGUF file on this machine, in a child process that starts with the first call and is
/// kept. A crash of native code, a time limit or an interrupt ends the child, never this process;
/// the next call starts another.
///
/// Greedy unless the request sets a temperature. Answers are held to a JSON Schema while they are
/// made. Tools are refused. Safe for many threads; calls are answered one after the other, in the
/// order they came.
public final class LocalModel implements ChatModel, AutoCloseable {
  private static final int TRIES = 2;

  private final ModelRef ref;
  private final Path gguf;
  private final LocalModelOptions options;
  private final ReentrantLock turn = new ReentrantLock(true);
  private volatile @Nullable LlamaProcess child;
  private volatile boolean closed;
  private long lastId;
  private int crashes;

  private LocalModel(ModelRef ref, Path gguf, LocalModelOptions options) {
    this.ref = ref;
    this.gguf = gguf;
    this.options = options;
  }

  /// A model with the usual options.
  ///
  /// @throws ModelException of kind UNAVAILABLE if the file is not there or not a GGUF file
  public static LocalModel open(ModelRef ref, Path gguf) {
    return open(ref, gguf, LocalModelOptions.defaults());
  }

  /// A model. Nothing is loaded before the first call.
  ///
  /// @throws ModelException of kind UNAVAILABLE if the file is not there or not a GGUF file
  public static LocalModel open(ModelRef ref, Path gguf, LocalModelOptions options) {
    String wrong;
    try {
      if (GgufHeader.isGguf(gguf)) return new LocalModel(ref, gguf, options);
      wrong = "is not a GGUF file";
    } catch (IOException e) {
      wrong = Files.exists(gguf) ? "cannot be read" : "does not exist";
    }
    throw new ModelException(
        Kind.UNAVAILABLE, "`" + ref + "` needs weights, but " + gguf + " " + wrong + ".");
  }

  @Override
  public ModelRef ref() {
    return ref;
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return fileIdentity();
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    return ask(request, null);
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    return ask(request, listener);
  }

  /// The weights as they are: a file that was replaced is another model.
  private Optional<ModelIdentity> fileIdentity() {
    try {
      var file = gguf.toRealPath();
      var read = Files.readAttributes(file, BasicFileAttributes.class);
      return Optional.of(
          ModelIdentity.of(
              "local",
              file.toString(),
              Long.toString(read.size()),
              read.lastModifiedTime().toString(),
              options.toString()));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private ChatReply ask(ChatRequest request, @Nullable DeltaListener listener)
      throws InterruptedException {
    var order = order(request);
    // Waiting for a turn is not the model's time: in a large fan-out the last call waits long, and
    // failing it would only throw its place away.
    turn.lockInterruptibly();
    try {
      return answer(request.timeout(), order, listener, Deadline.in(request.timeout()));
    } finally {
      turn.unlock();
    }
  }

  private ChatReply answer(
      Duration limit, ChildRequest order, @Nullable DeltaListener listener, Deadline deadline)
      throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      if (closed) throw closed();
      if (crashes > options.restarts()) throw tooManyCrashes("it is not started again");
      var call = new LocalCall(ref, limit, deadline, listener);
      try {
        var running = ready(call);
        var reply = call.run(running, withId(order));
        crashes = 0;
        return reply;
      } catch (LocalCall.ChildDied e) {
        if (closed) throw closed();
        var complaint = dropAfterBadSchema();
        if (complaint.isPresent()) {
          throw refused("cannot hold its answer to the JSON Schema: " + complaint.get());
        }
        var words = dropAfterCrash();
        if (crashes > options.restarts()) throw tooManyCrashes(words);
        if (call.hasEmitted() || attempt == TRIES) throw died(words, e);
      } finally {
        if (call.isUnfinished()) drop();
      }
    }
  }

  private LlamaProcess ready(LocalCall call) throws InterruptedException, LocalCall.ChildDied {
    var running = child;
    if (running != null) return running;
    running = LlamaProcess.start(gguf, options);
    child = running;
    // Or close() may have looked for a child just before there was one.
    if (closed) {
      drop();
      throw closed();
    }
    call.awaitReady(running, options.startLimit());
    return running;
  }

  private Optional<String> dropAfterBadSchema() {
    var dead = child;
    if (dead == null) return Optional.empty();
    dead.awaitExit();
    var complaint = dead.schemaComplaint();
    if (complaint.isPresent()) drop();
    return complaint;
  }

  private String dropAfterCrash() {
    crashes++;
    var dead = child;
    if (dead == null) return "it was stopped";
    dead.awaitExit();
    var words = dead.lastWords();
    drop();
    return words;
  }

  private void drop() {
    var dead = child;
    child = null;
    if (dead != null) dead.close();
  }

  /// The running child, for tests that kill it.
  Optional<ProcessHandle> process() {
    return Optional.ofNullable(child).map(LlamaProcess::handle);
  }

  /// Stops the child; a call that is under way fails.
  @Override
  public void close() {
    closed = true;
    var running = child;
    if (running != null) running.close();
  }

  private ChildRequest withId(ChildRequest order) {
    lastId++;
    return new ChildRequest(
        lastId,
        order.turns(),
        order.schema(),
        order.temperature(),
        order.maxTokens(),
        order.seed());
  }

  private ChildRequest order(ChatRequest request) {
    if (!request.tools().isEmpty()) {
      throw refused("cannot call tools; leave them out or use another model");
    }
    var schema = request.format() instanceof ResponseFormat.JsonSchema s ? s.schema().text() : "";
    int seed = request.seed().map(s -> Long.hashCode(s) & Integer.MAX_VALUE).orElse(-1);
    return new ChildRequest(
        0,
        request.messages().stream().map(this::turn).toList(),
        schema,
        request.temperature().orElse(0.0),
        request.maxTokens().orElse(options.maxTokens()),
        seed);
  }

  private ChildRequest.Turn turn(Message message) {
    return switch (message) {
      case SystemMessage m -> new ChildRequest.Turn(ChildRequest.Role.SYSTEM, m.text());
      case UserMessage m -> new ChildRequest.Turn(ChildRequest.Role.USER, m.text());
      case AssistantMessage m when !m.hasToolCalls() ->
          new ChildRequest.Turn(ChildRequest.Role.MODEL, m.text());
      case AssistantMessage _, ToolMessage _ ->
          throw refused("cannot read tool calls or their results; use another model");
    };
  }

  private ModelException refused(String why) {
    return new ModelException(Kind.BAD_REQUEST, "`" + ref + "` " + why + ".");
  }

  private ModelException closed() {
    return new ModelException(Kind.UNAVAILABLE, "`" + ref + "` was closed; open it again.");
  }

  private ModelException tooManyCrashes(String words) {
    return new ModelException(
        Kind.UNAVAILABLE,
        "The process of `%s` crashed %s times in a row: %s. Check the weights in %s and open the model again."
            .formatted(ref, crashes, words, gguf));
  }

  private ModelException died(String words, Throwable cause) {
    return new ModelException(
        Kind.TRANSPORT,
        "The process of `%s` ended in the middle of an answer: %s. The next call starts it again."
            .formatted(ref, words),
        null,
        cause);
  }

  /// The moment at which a call must be over.
  record Deadline(long nanos) {
    static Deadline in(Duration limit) {
      var longest = Duration.ofDays(365);
      var bounded = limit.compareTo(longest) < 0 ? limit : longest;
      return new Deadline(System.nanoTime() + bounded.toNanos());
    }

    Duration left() {
      return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }
  }

  @Override
  public String toString() {
    return "LocalModel[" + ref + ", " + gguf + "]";
  }
}
