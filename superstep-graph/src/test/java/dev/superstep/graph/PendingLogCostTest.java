package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.ForkOrigin;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Prune;
import dev.superstep.error.StepLimitReached;
import dev.superstep.json.Codec;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What waits beyond the next superstep is written when it changes, and not again.
final class PendingLogCostTest {
  private static final AtomicInteger ENCODED = new AtomicInteger();

  record Letter(String text) {
    @Override
    public String text() {
      ENCODED.incrementAndGet();
      return text;
    }
  }

  private static final Channel<Long, Long> ROUND = Channel.sum("round");
  private static final Channel<Long, Long> SUM = Channel.sum("read");
  private static final Target<Letter> READ = Target.of("read", Letter.class);

  private final InMemoryCheckpointer inner = new InMemoryCheckpointer();
  private final Counted store = new Counted(inner);

  /// Counts what each checkpoint takes, but for the values of a graph's own channels.
  static final class Counted extends ForwardingCheckpointer {
    final List<Integer> sizes = new ArrayList<>();

    Counted(Checkpointer store) {
      super(store);
    }

    @Override
    public boolean commit(Lease lease, Commit commit) {
      sizes.add(size(commit));
      return super.commit(lease, commit);
    }

    private static int size(Commit commit) {
      var progress = Codec.of(Progress.class).encode(commit.checkpoint().progress());
      int size = progress.text().length();
      for (var change : commit.changes()) {
        if (!(change.change() instanceof ChannelChange.Change.Items(_, var added))) continue;
        for (var item : added) size += item.text().length();
      }
      return size;
    }
  }

  private RunOptions on(Checkpointer where) {
    return RunOptions.thread("t").checkpoints(where).stepLimit(10_000);
  }

  /// Holds letters for some rounds, one more in each, and then reads them.
  static Graph mail(int letters, int rounds) {
    return Graph.named("mail")
        .channels(ROUND, SUM)
        .node("write", (_, _) -> Update.of(ROUND, 1L))
        .node("wait", (_, _) -> Update.of(ROUND, 1L))
        .node(READ, (letter, _, _) -> Update.of(SUM, (long) letter.text().length()))
        .edge(START, "write")
        .edge("write", "wait")
        .fanOut("write", _ -> letters(letters), READ)
        .fanOut("wait", _ -> letters(1), READ)
        .route("wait", s -> s.get(ROUND) <= rounds ? "wait" : END, "wait", END)
        .deferred("read")
        .edge("read", END)
        .compile();
  }

  private static List<Send<?>> letters(int many) {
    var letters = new ArrayList<Send<?>>();
    for (int i = 0; i < many; i++) letters.add(Send.to(READ, letter()));
    return letters;
  }

  private static Letter letter() {
    return new Letter("x".repeat(1_000));
  }

  @Test
  void a_deferred_send_is_written_once() throws Exception {
    var state = completed(mail(300, 40).invoke(Input.none(), on(store)));
    assertThat(state.get(SUM)).isEqualTo(340_000);
    // The first writes them, and the last that they are due; one or two begin the list anew.
    assertThat(store.sizes.stream().filter(size -> size < 2_000)).hasSizeGreaterThan(38);
    assertThat(store.sizes.stream().mapToInt(size -> size).sum()).isLessThan(4 * 340_000);
  }

  @Test
  void a_sent_argument_is_encoded_once_however_often_it_is_stored() throws Exception {
    var graph = mail(100, 30);
    ENCODED.set(0);
    thrown(StepLimitReached.class, () -> graph.invoke(Input.none(), on(store).stepLimit(25)));
    assertThat(ENCODED.get()).isEqualTo(100 + 24);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void deferred_tasks_are_read_back_wherever_a_run_ended(Durability durability) throws Exception {
    var options = on(inner).durability(durability).stepLimit(3);
    var graph = mail(20, 30);
    thrown(StepLimitReached.class, () -> graph.invoke(Input.none(), options));
    for (int i = 0; i < 9; i++) {
      thrown(StepLimitReached.class, () -> graph.resume(Answers.none(), options));
    }
    assertThat(graph.state(options).orElseThrow().blocked()).hasSize(20 + 29);
    var state = completed(graph.resume(Answers.none(), options));
    assertThat(state.get(SUM)).isEqualTo(50_000);
  }

  @Test
  void deferred_tasks_are_encrypted_and_decrypted() throws Exception {
    var ring = KeyRing.of("one", new byte[32]);
    var graph = mail(20, 8);
    var sealed = EncryptedCheckpointer.over(store, ring);
    thrown(StepLimitReached.class, () -> graph.invoke(Input.none(), on(sealed).stepLimit(5)));
    assertThat(inner.latest(Lineage.of("t")).orElseThrow().toString())
        .doesNotContain("x".repeat(20));
    assertThat(completed(graph.resume(Answers.none(), on(sealed))).get(SUM)).isEqualTo(28_000);
  }

  private List<String> checkpoints() {
    var all = Threads.in(inner).history("t", Optional.empty(), 1_000);
    return all.reversed().stream().map(Checkpoint::id).toList();
  }

  @Test
  void a_thread_with_many_deferred_tasks_can_be_rewound_forked_and_pruned() throws Exception {
    var graph = mail(20, 8);
    completed(graph.invoke(Input.none(), on(inner)));
    var threads = Threads.in(inner);
    var ids = checkpoints();
    for (int i = 1; i < 8; i++) {
      var made = threads.fork("t", ids.get(i), "fork" + i);
      assertThat(threads.find("fork" + i).orElseThrow().checkpoint().origin())
          .isEqualTo(made.origin())
          .map(ForkOrigin::checkpoint)
          .contains(ids.get(i));
      var fork = RunOptions.thread("fork" + i).checkpoints(inner);
      assertThat(completed(graph.resume(Answers.none(), fork)).get(SUM)).isEqualTo(28_000);
    }
    threads.rewind("t", ids.get(4));
    threads.prune("t", Prune.keepLast(1));
    threads.copy("t", "copy");
    assertThat(completed(graph.resume(Answers.none(), on(inner))).get(SUM)).isEqualTo(28_000);
    var copy = RunOptions.thread("copy").checkpoints(inner);
    assertThat(completed(graph.resume(Answers.none(), copy)).get(SUM)).isEqualTo(28_000);
  }

  /// Nodes that run one after the other, all of which `end` waits for.
  static Graph chain(int nodes) {
    var builder = Graph.named("chain").channels(SUM);
    var names = IntStream.range(0, nodes).mapToObj(i -> "n" + i).toList();
    for (var name : names) builder.node(name, (_, _) -> Update.of(SUM, 1L));
    builder.node("end", (_, _) -> Update.of(SUM, 1_000_000L));
    builder.edge(START, "n0");
    for (int i = 1; i < nodes; i++) builder.edge("n" + (i - 1), "n" + i);
    return builder.join(names, "end").edge("end", END).compile();
  }

  @Test
  void an_arrival_is_written_once() throws Exception {
    var graph = chain(600);
    thrown(StepLimitReached.class, () -> graph.invoke(Input.none(), on(store).stepLimit(500)));
    assertThat(completed(graph.resume(Answers.none(), on(store))).get(SUM)).isEqualTo(1_000_600);
    assertThat(store.sizes.stream().filter(size -> size < 2_400)).hasSizeGreaterThan(590);
    assertThat(store.sizes.stream().mapToInt(size -> size).sum()).isLessThan(600 * 500);
  }

  /// A ring of gated nodes, each of which looks at what the one before it writes.
  static Graph ring(int nodes) {
    var last =
        IntStream.range(0, nodes).mapToObj(i -> Channel.latest("c" + i, Long.class)).toList();
    var builder = Graph.named("ring").channels(SUM);
    for (var channel : last) builder.channels(channel);
    for (int i = 0; i < nodes; i++) {
      var mine = last.get(i);
      builder.node("n" + i, (_, context) -> Update.of(mine, (long) context.step()).and(SUM, 1L));
      builder.runWhenChanged("n" + i, last.get((i + nodes - 1) % nodes));
      builder.edge(i == 0 ? START : "n" + (i - 1), "n" + i);
    }
    return builder
        .route("n" + (nodes - 1), s -> s.get(SUM) < 2 * nodes ? "n0" : END, "n0", END)
        .compile();
  }

  @Test
  void the_versions_that_a_gate_saw_are_written_once() throws Exception {
    var graph = ring(300);
    thrown(StepLimitReached.class, () -> graph.invoke(Input.none(), on(store).stepLimit(450)));
    State state = completed(graph.resume(Answers.none(), on(store)));
    assertThat(state.get(SUM)).isEqualTo(600);
    assertThat(store.sizes.stream().filter(size -> size < 2_400)).hasSizeGreaterThan(590);
    assertThat(store.sizes.stream().mapToInt(size -> size).sum()).isLessThan(600 * 500);
  }

  @Test
  void a_run_with_few_deferred_tasks_has_no_channel_for_them() throws Exception {
    completed(chain(3).invoke(Input.none(), on(inner)));
    for (var id : checkpoints()) {
      var saved = inner.byId(Lineage.of("t"), id).orElseThrow();
      assertThat(saved.channels()).extracting("name").doesNotContain(Progress.CHANNEL);
    }
  }
}
