package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.countingIds;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Signal;
import dev.superstep.checkpoint.StoreDamaged;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.StoreMoved;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.StepLimitReached;
import dev.superstep.event.Backlog;
import dev.superstep.event.BoundedQueue;
import dev.superstep.graph.ErrorMessagesTest.Case;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.JsonLimit;
import dev.superstep.node.Approval;
import dev.superstep.node.Ask;
import dev.superstep.node.Command;
import dev.superstep.node.ContextKey;
import dev.superstep.node.Converge;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// At least one way to make each error, as a user would.
final class Provocations {
  private static final Channel<String, String> ONE = Channel.latest("one", String.class);
  private static final Channel<Long, Long> SUM = Channel.sum("sum");
  private static final Channel<String, String> OTHER = Channel.latest("other", String.class);
  private static final Question<String, Approval> SURE =
      Question.of("sure", String.class, Approval.class);
  private static final Target<String> PART = Target.of("part", String.class);

  private final List<Case> cases = new ArrayList<>();

  private Provocations() {}

  static List<Case> all() {
    var all = new Provocations();
    all.json();
    all.state();
    all.nodes();
    all.routing();
    all.limits();
    all.sizes();
    all.subgraphs();
    all.questions();
    all.breakpoints();
    all.cases.addAll(ProvokedItems.all());
    all.loops();
    all.threads();
    all.cases.addAll(ProvokedThreads.all());
    all.cases.addAll(ProvokedSeals.all());
    all.cases.addAll(StoreProvocations.all());
    return all.cases;
  }

  private void sizes() {
    add(
        "a value could never be read again",
        () -> RunOptions.thread("t").metadata("note", "x".repeat(JsonLimit.STRING.most() + 1)));
  }

  private void json() {
    add(
        "more waits for a reader than may",
        () -> {
          var failing = Backlog.failing().withCapacity(1);
          var queue = new BoundedQueue<String>(_ -> true, failing, (last, _) -> last);
          queue.put("first");
          queue.put("second");
        });
    add("a type that cannot be stored", () -> Codec.of(Thread.class));
    add(
        "text that is no JSON of its type",
        () -> Codec.of(Integer.class).decode(Json.parse("\"x\"")));
    add("a topology nests too deep to be drawn", () -> Shapes.nested(1_000).dot());
  }

  private void state() {
    add(
        "a channel is read before it is written",
        () -> run((state, _) -> writeOne(state.get(ONE))));
    add("a channel that the graph does not have", () -> run((_, _) -> Update.of(OTHER, "x")));
    add(
        "a channel that the node does not declare",
        () ->
            graph()
                .channels(OTHER)
                .node("draft", (_, _) -> Update.of(OTHER, "x"))
                .writes("draft", ONE)
                .edge(START, "draft")
                .edge("draft", END)
                .compile()
                .invoke(Input.none(), options()));
    add(
        "two tasks write a single value",
        () ->
            graph()
                .node("a", (_, _) -> writeOne("a"))
                .node("b", (_, _) -> writeOne("b"))
                .edge(START, "a")
                .edge(START, "b")
                .edge("a", END)
                .edge("b", END)
                .compile()
                .invoke(Input.none(), options()));
    var token = Channel.token("order", String.class);
    add(
        "a token is written over one that nobody took",
        () ->
            Graph.named("desk")
                .channels(token)
                .node("a", (_, _) -> Update.of(token, "second"))
                .edge(START, "a")
                .edge("a", END)
                .compile()
                .invoke(Input.of(token, "first"), options()));
    add("a thread is named by half of a character", () -> RunOptions.thread("a\uD800b"));
    var barrier = Channel.barrier("votes", Set.of("bob", "eve"));
    add(
        "a barrier gets a name that it does not wait for",
        () ->
            Graph.named("desk")
                .channels(barrier)
                .node("a", (_, _) -> NodeResult.nothing())
                .edge(START, "a")
                .edge("a", END)
                .compile()
                .invoke(Input.of(barrier, "mallory"), options()));
    add("a reducer throws", () -> run((_, _) -> Update.of(SUM, Long.MAX_VALUE).and(SUM, 1L)));
  }

  private void nodes() {
    add(
        "a node throws",
        () ->
            run((_, _) -> {
              throw new IOException("no route to host");
            }));
    add("a node returns null", () -> run((_, _) -> null));
    add(
        "a node makes a signal that is out of range",
        () -> run((_, _) -> new Converge(writeOne("x"), new Signal(1, 0, 7))));
    add(
        "a node takes too long",
        () -> run((_, _) -> forEver(), NodePolicy.defaults().timeout(Duration.ofMillis(20))));
    add(
        "a node gives no sign of life",
        () -> run((_, _) -> forEver(), NodePolicy.defaults().idleTimeout(Duration.ofMillis(20))));
    add(
        "a node uses a step key twice",
        () ->
            run((_, context) -> {
              context.step("charge", () -> {});
              context.step("charge", () -> {});
              return NodeResult.nothing();
            }));
    add(
        "a node needs what the caller did not give",
        () -> run((_, context) -> writeOne(context.get(ContextKey.of("user", String.class)))));
    add("a definition with a problem", () -> graph().compile());
  }

  private void routing() {
    add(
        "a router throws",
        () ->
            graph()
                .node("a", (_, _) -> NodeResult.nothing())
                .edge(START, "a")
                .route(
                    "a",
                    _ -> {
                      throw new IllegalStateException("odd");
                    },
                    END)
                .compile()
                .invoke(Input.none(), options()));
    add(
        "a router chooses what it may not",
        () ->
            graph()
                .node("a", (_, _) -> NodeResult.nothing())
                .node("publish", (_, _) -> NodeResult.nothing())
                .edge(START, "a")
                .route("a", _ -> "publsh", "publish", END)
                .edge("publish", END)
                .compile()
                .invoke(Input.none(), options()));
    add("a command where edges are", () -> run((_, _) -> Command.to("a")));
    add("no command where one is needed", () -> commanding((_, _) -> NodeResult.nothing()));
    add("a command that leads where it may not", () -> commanding((_, _) -> Command.to("a")));
    add("a command that leads nowhere", () -> commanding((_, _) -> Command.to("ab")));
    add(
        "a command without the argument that is needed",
        () ->
            graph()
                .node("a", (_, _) -> Command.to("part"))
                .node(PART, (_, _, _) -> NodeResult.nothing())
                .edge(START, "a")
                .destinations("a", "part")
                .edge("part", END)
                .compile()
                .invoke(Input.none(), options()));
    add(
        "an input that starts at no node",
        () -> starved().invoke(Input.none().startingAt(END), options()));
    add("a join waits for what will not come", () -> starved().invoke(Input.none(), options()));
  }

  private void limits() {
    add(
        "a loop that does not end",
        () ->
            graph()
                .node("again", (_, _) -> NodeResult.nothing())
                .edge(START, "again")
                .route("again", _ -> "again", "again", END)
                .compile()
                .invoke(Input.none(), options().stepLimit(3)));
    add("graphs inside each other without end", Provocations::again);
    add("a run after a drain", ProvokedThreads::drained);
  }

  private void subgraphs() {
    add("a hand-off where nobody is around", () -> run((_, _) -> Command.toParent("boss")));
    add("a hand-off to an unknown graph", () -> inside((_, _) -> Command.toGraph("x"), s -> s));
    add("a hand-off to an unknown node", () -> inside((_, _) -> Command.toParent("bss"), s -> s));
    add("a hand-off where it may not", () -> inside((_, _) -> Command.toParent("desk"), s -> s));
    add(
        "input to a shared channel",
        () ->
            inside(
                (_, _) -> NodeResult.nothing(),
                s -> Subgraph.shared(s.graph(), _ -> Input.of(ONE, "x"))));
  }

  private void questions() {
    add("a question that nobody could answer", () -> asking().invoke(Input.none(), options()));
    add(
        "a question that is not declared",
        () ->
            single("ask", (_, context) -> writeOne(context.interrupt(SURE, "?").note().orElse("")))
                .invoke(Input.none(), kept()));
    add("an answer to no question", () -> answer(new InMemoryCheckpointer(), "nobody", "true"));
    add("an answer of the wrong shape", () -> answer(new InMemoryCheckpointer(), "", "[1]"));
    add(
        "an answer to what was answered",
        () -> {
          var store = new InMemoryCheckpointer();
          var question = asked(asking().invoke(Input.none(), kept(store))).getFirst();
          var yes = Answers.none().and(SURE.answer(question, Approval.yes()));
          asking().resume(yes.and(yes.all().getFirst()), kept(store));
        });
    add(
        "the answer to a question that was not asked",
        () -> run((_, context) -> writeOne("" + context.answer(SURE).approved())));
    add(
        "the answer to another question than the one that was asked",
        () -> {
          var store = new InMemoryCheckpointer();
          var graph = asking(Provocations::takesWrong);
          var question = asked(graph.invoke(Input.none(), kept(store))).getFirst();
          graph.resume(Answers.of(question.id(), Approval.yes()), kept(store));
        });
    add(
        "a graph as a node asks with its result",
        () ->
            graph()
                .questions(SURE)
                .node(
                    "inside",
                    Subgraph.of(
                        single("a", (_, _) -> NodeResult.nothing()),
                        _ -> Input.none(),
                        _ -> Ask.of(SURE, "?")))
                .edge(START, "inside")
                .edge("inside", END)
                .compile()
                .invoke(Input.none(), kept()));
  }

  private static NodeResult takesWrong(State state, NodeContext context) {
    if (context.resumePoint().isEmpty()) return Ask.of(SURE, "?");
    return writeOne(context.answer(Question.of("other", String.class, String.class)));
  }

  private void breakpoints() {
    add(
        "a pause that nobody could end",
        () -> asking().invoke(Input.none(), options().breakpoints(Breakpoints.everyStep())));
    add(
        "a pause at an unknown node",
        () -> asking().invoke(Input.none(), kept().breakpoints(Breakpoints.none().before("aks"))));
  }

  private void loops() {
    add(
        "more supersteps than a run may take with the graphs inside it",
        () -> {
          var options = RunOptions.defaults().ids(() -> "r-1").totalStepLimit(1);
          var graph =
              graph()
                  .node("a", (_, _) -> NodeResult.nothing())
                  .node("b", (_, _) -> NodeResult.nothing())
                  .edge(START, "a")
                  .edge("a", "b")
                  .edge("b", END)
                  .compile();
          graph.invoke(Input.none(), options);
        });
    add(
        "a node comes up more often than its policy lets it",
        () -> {
          var graph =
              graph()
                  .node("a", (_, _) -> NodeResult.nothing(), NodePolicy.defaults().visits(1))
                  .edge(START, "a")
                  .route("a", _ -> "a", "a", END)
                  .compile();
          try {
            graph.invoke(Input.none());
          } catch (NodeFailed e) {
            throw (Exception) e.getCause();
          }
        });
  }

  private void threads() {
    add("a thread that nobody knows", () -> asking().resume(Answers.none(), kept()));
    add(
        "new input for a thread with open questions",
        () -> {
          var store = new InMemoryCheckpointer();
          asking().invoke(Input.none(), kept(store));
          asking().invoke(Input.none(), kept(store));
        });
    add(
        "new input for a thread with work left",
        () -> {
          var store = new InMemoryCheckpointer();
          var graph =
              graph()
                  .node("a", (_, _) -> NodeResult.nothing())
                  .node("b", (_, _) -> NodeResult.nothing())
                  .edge(START, "a")
                  .edge("a", "b")
                  .edge("b", END)
                  .compile();
          try {
            graph.invoke(Input.none(), kept(store).stepLimit(1));
          } catch (StepLimitReached _) {
            graph.invoke(Input.none(), kept(store));
          }
        });
    add(
        "the thread of another graph",
        () -> {
          var store = new InMemoryCheckpointer();
          single("a", (_, _) -> NodeResult.nothing()).invoke(Input.none(), kept(store));
          var other = Graph.named("other").node("a", (_, _) -> NodeResult.nothing());
          other.edge(START, "a").edge("a", END).compile().invoke(Input.none(), kept(store));
        });
    add(
        "the thread of another shape of the graph",
        () -> {
          var store = new InMemoryCheckpointer();
          single("a", (_, _) -> NodeResult.nothing()).invoke(Input.none(), kept(store));
          single("b", (_, _) -> NodeResult.nothing()).invoke(Input.none(), kept(store));
        });
    add(
        "a thread that someone else moved on",
        () -> {
          var store =
              new ForwardingCheckpointer(new InMemoryCheckpointer()) {
                @Override
                public boolean commit(Lease lease, Commit commit) {
                  return commit.checkpoint().step() == 0 && super.commit(lease, commit);
                }
              };
          single("a", (_, _) -> NodeResult.nothing()).invoke(Input.none(), kept(store));
        });
    add("a thread whose stored data was changed", Provocations::changed);
    add(
        "a store that fails",
        () -> {
          throw new StoreFailed("threads.db", "the disk is full", new IOException("no space"));
        });
    var cause = new IOException("no space");
    add("a disk that fails", () -> throwing(StoreFailed.uncertain("a.db", "it fails", cause)));
    add("a damaged store", () -> throwing(new StoreDamaged("a.db", "a value differs", cause)));
    add("a moved store", () -> throwing(new StoreMoved("a.db", "another is there", cause)));
  }

  private static void throwing(RuntimeException error) {
    throw error;
  }

  /// A thread whose finished task says that it wrote a channel which the graph does not have.
  private static void changed() throws InterruptedException {
    var store = new InMemoryCheckpointer();
    var graph =
        graph()
            .questions(SURE)
            .node("ask", (_, context) -> writeOne(context.interrupt(SURE, "?").toString()))
            .node("b", (_, _) -> NodeResult.nothing())
            .edge(START, "ask")
            .edge(START, "b")
            .edge("ask", END)
            .edge("b", END)
            .compile();
    graph.invoke(Input.none(), kept(store));
    var lineage = Lineage.of("t");
    var checkpoint = store.latest(lineage).orElseThrow().checkpoint().id();
    var write = new TaskRecord.SavedWrite.Put("gone", Json.parse("1"));
    var end = new TaskRecord.End.Finished(List.of(write), Optional.empty(), List.of());
    var task = store.tasks(lineage, checkpoint).stream().filter(t -> t.node().equals("ask"));
    var lease = store.acquire("t", "a test", Duration.ofSeconds(20));
    var record = new TaskRecord(task.findFirst().orElseThrow().task(), "ask", end);
    store.saveTask(lease, lineage, checkpoint, record, List.of());
    store.release(lease);
    graph.resume(Answers.none(), kept(store));
  }

  private static void answer(InMemoryCheckpointer store, String id, String json)
      throws InterruptedException {
    var question = asked(asking().invoke(Input.none(), kept(store))).getFirst();
    var answers = Answers.json(id.isEmpty() ? question.id() : id, Json.unchecked(json));
    asking().resume(answers, kept(store));
  }

  private static Graph asking() {
    return asking((_, context) -> writeOne(context.interrupt(SURE, "?").toString()));
  }

  private static Graph asking(Node node) {
    return graph().questions(SURE).node("ask", node).edge(START, "ask").edge("ask", END).compile();
  }

  private static Graph starved() {
    return graph()
        .node("a", (_, _) -> NodeResult.nothing())
        .node("b", (_, _) -> NodeResult.nothing())
        .node("c", (_, _) -> NodeResult.nothing())
        .routeMany(START, _ -> List.of("a"), "a", "b")
        .join(List.of("a", "b"), "c")
        .edge("c", END)
        .compile();
  }

  private static void again() throws InterruptedException {
    run((_, _) -> {
      again();
      return NodeResult.nothing();
    });
  }

  private static void inside(Node node, UnaryOperator<Subgraph<State>> how)
      throws InterruptedException {
    var subgraph =
        Subgraph.of(single("work", node), (State _) -> Input.none(), _ -> NodeResult.nothing());
    graph()
        .node("desk", how.apply(subgraph))
        .node("boss", (_, _) -> NodeResult.nothing())
        .edge(START, "desk")
        .edge("desk", END)
        .handOffs("desk", "boss")
        .edge("boss", END)
        .compile()
        .invoke(Input.none(), options());
  }

  private static void commanding(Node node) throws InterruptedException {
    graph()
        .node("abc", node)
        .node("a", (_, _) -> NodeResult.nothing())
        .edge(START, "abc")
        .edge(START, "a")
        .edge("a", END)
        .destinations("abc", END)
        .compile()
        .invoke(Input.none(), options());
  }

  static NodeResult forEver() throws InterruptedException {
    new java.util.concurrent.CountDownLatch(1).await();
    return NodeResult.nothing();
  }

  private static Update writeOne(String text) {
    return Update.of(ONE, text);
  }

  private static GraphBuilder graph() {
    return Graph.named("desk").channels(ONE, SUM);
  }

  private static Graph single(String name, Node node) {
    return graph().node(name, node).edge(START, name).edge(name, END).compile();
  }

  static void run(Node node) throws InterruptedException {
    run(node, NodePolicy.defaults());
  }

  private static void run(Node node, NodePolicy policy) throws InterruptedException {
    graph()
        .node("work", node, policy)
        .edge(START, "work")
        .edge("work", END)
        .compile()
        .invoke(Input.none(), options());
  }

  private static RunOptions options() {
    return RunOptions.defaults().ids(countingIds());
  }

  private static RunOptions kept() {
    return kept(new InMemoryCheckpointer());
  }

  private static RunOptions kept(Checkpointer store) {
    return RunOptions.thread("t").checkpoints(store).ids(countingIds());
  }

  private void add(String title, ThrowingCallable cause) {
    cases.add(inNode(title, cause));
  }

  /// A case whose error comes out of the failure of a node.
  static Case inNode(String title, ThrowingCallable cause) {
    return new Case(
        title,
        () -> {
          try {
            cause.call();
          } catch (NodeFailed e) {
            throw Runs.innermost(e);
          }
        });
  }
}
