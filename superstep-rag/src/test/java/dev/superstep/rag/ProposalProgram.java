package dev.superstep.rag;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.language.bounds.Limits;
import dev.superstep.language.bounds.Measure;
import dev.superstep.language.rag.Capability;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.review.GraphLibrary;
import dev.superstep.rag.review.GraphProposals;
import dev.superstep.rag.review.Proposal;
import dev.superstep.rag.review.ReviewGate;
import dev.superstep.rag.review.ReviewKey;
import dev.superstep.rag.review.Verdict;
import dev.superstep.registry.Component;
import dev.superstep.registry.Registry;
import dev.superstep.run.Answers;
import dev.superstep.state.Channel;
import dev.superstep.store.Put;
import dev.superstep.store.Store;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/// A program that [ProposalKillTest] kills at a point and runs again, in a process of its own.
///
/// Its arguments: the folder, and the point at which it waits to be killed. An agent proposes a
/// graph, a person who is here approves it, and it runs. What happens is appended to `done`.
final class ProposalProgram {
  static final List<String> POINTS =
      List.of(
          "none",
          "before proposal",
          "before answer",
          "before approvals",
          "after approvals",
          "before graphs",
          "after graphs",
          "before first",
          "after first",
          "before second",
          "after second",
          "before end");

  private static final Channel<String, String> SAID = Channel.latest("said", String.class);
  private static final String TEXT =
      "graph made { input { word text } output { said text } channel said overwrite of text"
          + " start a node a { kind function function \"first\" next b }"
          + " node b { kind function function \"second\" } }";

  private final Path folder;
  private final String point;

  private ProposalProgram(Path folder, String point) {
    this.folder = folder;
    this.point = point;
  }

  public static void main(String[] arguments) throws Exception {
    new ProposalProgram(Path.of(arguments[0]), arguments[1]).run();
  }

  /// Waits to be killed, if this is the point.
  private void at(String here) {
    if (!here.equals(point)) return;
    System.out.println("at " + here);
    System.out.flush();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void did(String what) {
    try {
      Files.writeString(
          folder.resolve("done"),
          what + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void run() throws Exception {
    try (var threads = SqliteCheckpointer.open(folder.resolve("threads.db"));
        var file = SqliteStore.open(folder.resolve("store.db"))) {
      var store = watched(file);
      var gate =
          new ReviewGate(store, ReviewKey.open(folder.resolve("key")), InstantSource.system());
      var library = new GraphLibrary(store, gate);
      var agent = agent(gate, library);
      var options = RunOptions.thread("t").checkpoints(threads).lease(Duration.ofMillis(200));
      boolean isBegun = Threads.in(threads).find("t").isPresent();
      AgentResult<String> result =
          patiently(
              () -> isBegun ? agent.resume(Answers.none(), options) : agent.run("Go.", options));
      while (result instanceof AgentResult.Waiting<String>(var questions)) {
        at("before answer");
        var answer = answer(questions.getFirst(), gate);
        result = patiently(() -> agent.resume(answer, options));
      }
      at("before end");
      System.out.println("answered " + result.answer());
    }
  }

  private Answers answer(Interrupt question, ReviewGate gate) {
    did("asked");
    var proposal = Proposal.QUESTION.read(question);
    var approval = gate.sign(proposal.hash(), "ann", Duration.ofDays(1));
    return Answers.of(question.id(), Proposal.QUESTION, Verdict.yes(approval));
  }

  private interface Running<T> {
    T run() throws InterruptedException;
  }

  private static <T> T patiently(Running<T> running) throws InterruptedException {
    while (true) {
      try {
        return running.run();
      } catch (ThreadBusy _) {
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    }
  }

  private Agent<String> agent(ReviewGate gate, GraphLibrary library) {
    var registry = Registry.named("host");
    registry.register(Component.of(RagKind.CHANNEL, "said", SAID));
    for (var name : List.of("first", "second", "third")) {
      registry.register(
          Component.of(
              RagKind.FUNCTION,
              name,
              (_, context) -> {
                at("before " + name);
                context.step(name, () -> did("ran " + name));
                at("after " + name);
                return Update.of(SAID, name);
              }));
    }
    var proposals =
        GraphProposals.of(registry, gate, library)
            .allowing(Map.of(Capability.FUNCTIONS, Set.of("first", "second")))
            .limits(Limits.none().and(Measure.MODEL_CALLS, 3).and(Measure.TOOL_CALLS, 0));
    var json =
        dev.superstep.json.Json.of(new GraphProposals.Arguments(TEXT, "{\"word\":\"hi\"}")).text();
    var model =
        ScriptedModel.by(request -> {
          boolean isFirst = request.messages().size() < 2;
          if (isFirst) at("before proposal");
          return isFirst
              ? ScriptedModel.calls(new ToolCall("c1", "propose_graph", json))
              : ScriptedModel.text(request.messages().getLast().text());
        });
    return Agent.named("planner").model(model).tools(proposals.tool()).build();
  }

  /// The store, which stops before and after its writes, and notes them.
  private Store watched(Store store) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> {
              var isPut = method.getName().equals("putAll");
              if (method.isDefault()) {
                return java.lang.reflect.InvocationHandler.invokeDefault(proxy, method, arguments);
              }
              var kind = isPut ? kind((List<?>) arguments[0]) : "";
              if (isPut) at("before " + kind);
              try {
                var result = method.invoke(store, arguments);
                if (isPut) {
                  did("put " + kind);
                  at("after " + kind);
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static String kind(List<?> puts) {
    return ((Put) puts.getFirst()).namespace().labels().getLast();
  }
}
