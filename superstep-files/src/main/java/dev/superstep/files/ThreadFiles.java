package dev.superstep.files;

import dev.superstep.lock.Mutex;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeContext;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Files that are part of the thread of an agent: they are saved with it, and a rewind, a fork or a
/// copy of the thread has the files as they were.
///
/// ```java
/// Agent.named("writer").model(model).middleware(ThreadFiles.create()).build();
/// ```
///
/// It brings the tools of [FileTools]. Since a rewind takes their changes back, calls that it took
/// back may be made again, and nobody is asked about them.
///
/// Calls of one turn see each other's changes, and a call that was made when the process died has
/// not changed a file twice. An agent that is called may use the files of its caller: [#ofCaller].
/// For some thousand files of some megabytes together. Immutable, safe for many threads.
public final class ThreadFiles implements Middleware {
  private static final Channel<FileHistory, FileHistory.Changes> FILES =
      Channel.delta(
          "files",
          FileHistory.class,
          FileHistory.Changes.class,
          FileHistory.EMPTY,
          FileHistory::with);

  private static final ContextKey<Calls> CALLS = ContextKey.of("thread-files", Calls.class);

  private final boolean isOfCaller;
  private final FileTree tree;

  private ThreadFiles(boolean isOfCaller, FileTree tree) {
    this.isOfCaller = isOfCaller;
    this.tree = tree;
  }

  /// Files of the agent's own. Those of an agent that is called begin empty and end with its
  /// answer.
  public static ThreadFiles create() {
    return new ThreadFiles(false, new Unbound());
  }

  /// For an agent that is called: the files of its caller, if that has some; else its own.
  public static ThreadFiles ofCaller() {
    return new ThreadFiles(true, new Unbound());
  }

  /// With other files in a folder, in place of what is there. They are not part of the thread.
  ///
  /// @param folder such as `memories`
  public ThreadFiles mounting(String folder, FileTree other) {
    return new ThreadFiles(isOfCaller, tree.mounting(folder, other));
  }

  /// The files in the state of an agent's thread, as they were when it was read; for reading.
  public static FileTree of(State state) {
    var texts = state.find(FILES).orElse(FileHistory.EMPTY).texts(List.of());
    var files = FileTree.inMemory();
    texts.forEach((path, text) -> files.write(path, text, Expected.absent()));
    return files.readOnly();
  }

  /// The calls of a run that may use files. Safe for many threads.
  private static final class Calls {
    private final Mutex lock = new Mutex();
    private final Map<String, CallFiles> byCall = new ConcurrentHashMap<>();
    private final Map<String, CallFiles.Place> byTask = new ConcurrentHashMap<>();

    static Calls of(NodeContext node) {
      return node.shared(CALLS, Calls::new);
    }
  }

  /// The files, for further tools of an agent that has this middleware. Outside of their calls it
  /// cannot be used.
  public FileTree tree() {
    return tree;
  }

  @Override
  public List<Tool> tools() {
    var all = FileTools.of(tree);
    return all.names().stream()
        .map(name -> all.find(name).orElseThrow())
        .map(tool -> tool.withPolicy(tool.policy().idempotent()))
        .toList();
  }

  /// The files for a hook of a middleware that comes after this one, during a call of a tool.
  ///
  /// @throws IllegalStateException if this is no middleware of the agent
  public FileTree during(ToolCall call, AgentContext context) {
    return required(context.node(), key(context.node(), call.id()));
  }

  private static FileTree required(NodeContext node, String key) {
    var files = Calls.of(node).byCall.get(key);
    if (files != null) return files;
    throw new IllegalStateException(
        "The files of a thread are used by an agent that does not have them. Add ThreadFiles to"
            + " its middleware.");
  }

  /// As [ToolContext#idempotencyKey] makes it.
  private static String key(NodeContext node, String call) {
    return node.task() + "/" + call;
  }

  @Override
  public Touches touches() {
    return Touches.METADATA;
  }

  @Override
  public List<Channel<?, ?>> channels() {
    return List.of(FILES);
  }

  @Override
  public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
      throws Exception {
    var node = context.node();
    var calls = Calls.of(node);
    var place = place(context, calls);
    var key = key(node, call.id());
    calls.byCall.put(key, new CallFiles(place, key));
    calls.byTask.put(node.task(), place);
    boolean isDone = false;
    try {
      var result = next.call(call);
      isDone = true;
      return result;
    } finally {
      if (!isDone) forget(calls, node, key);
    }
  }

  private CallFiles.Place place(AgentContext context, Calls calls) {
    var node = context.node();
    var around = node.enclosingTasks();
    if (isOfCaller && !around.isEmpty()) {
      var caller = calls.byTask.get(around.getLast());
      if (caller != null) return caller;
    }
    return new CallFiles.Place(
        context.find(FILES).orElse(FileHistory.EMPTY),
        node.log("files", FileHistory.Change.class),
        node.task(),
        calls.lock);
  }

  private static void forget(Calls calls, NodeContext node, String key) {
    calls.byCall.remove(key);
    calls.byTask.remove(node.task());
  }

  /// The changes become part of the state with the result of the call.
  @Override
  public ToolResult afterTool(ToolCall call, ToolResult result, AgentContext context) {
    var node = context.node();
    var calls = Calls.of(node);
    var key = key(node, call.id());
    var files = calls.byCall.get(key);
    if (files == null) return result;
    forget(calls, node, key);
    // What a call of this agent's caller owns is written by that.
    if (!files.place().owner().equals(node.task())) return result;
    var changes = files.place().changes();
    if (!changes.changes().isEmpty()) context.write(FILES, changes);
    return result;
  }

  /// The files before it is known which call uses them.
  private static final class Unbound implements FileTree {
    @Override
    public FileTree usedBy(ToolContext context) {
      return required(context.node(), context.idempotencyKey());
    }

    private static IllegalStateException misuse() {
      return new IllegalStateException(
          "The files of a thread are used by tools of its agent only. Read those of a state by"
              + " ThreadFiles.of(state).");
    }

    @Override
    public Optional<FileText> find(String path) {
      throw misuse();
    }

    @Override
    public FileText write(String path, String text, Expected expected) {
      throw misuse();
    }

    @Override
    public void delete(String path, Expected expected) {
      throw misuse();
    }

    @Override
    public FileList list(String folder) {
      throw misuse();
    }
  }

  @Override
  public String toString() {
    return isOfCaller ? "ThreadFiles[of the caller]" : "ThreadFiles[]";
  }
}
