package dev.superstep.store.jdbc;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.error.ThreadError;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Migration;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.test.postgres.PostgresServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A channel of every kind becomes one of every kind, between two runs of a thread that waits
/// beside a write to it: the thread goes on with all of its value, or is refused and stays what it
/// was.
class ChannelKindMigrationTest {
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);
  private static final Codec<List<String>> STRINGS = Codec.listOf(String.class);
  private static final String NAME = "x";
  // How many of the pairs are carried over; the others are refused.
  private static final int CARRIED = 189;
  private static final int SOME = 16;

  @TempDir private Path folder;

  /// A kind of channel with writes to it: in two supersteps, one that waits, and one of the run
  /// that goes on.
  private record Kind<V, W>(Channel<V, W> channel, W first, W second, W third, W fourth) {
    @Override
    public String toString() {
      return channel.kind() + " of " + channel.values().type();
    }

    Update write(W value) {
      return Update.of(channel, value);
    }
  }

  private static <V> Kind<V, String> words(Channel<V, String> channel) {
    return new Kind<>(channel, "a", "b", "c", "d");
  }

  private static Kind<List<String>, List<String>> lists(
      Channel<List<String>, List<String>> channel) {
    return new Kind<>(channel, List.of("a"), List.of("a", "b"), List.of("c"), List.of("d"));
  }

  private static Kind<Long, Long> numbers(Channel<Long, Long> channel) {
    return new Kind<>(channel, 1L, 2L, 3L, 4L);
  }

  private static List<String> plus(List<String> list, String word) {
    var more = new ArrayList<>(list);
    more.add(word);
    return more;
  }

  private static List<Kind<?, ?>> kinds() {
    return List.of(
        words(Channel.append(NAME, String.class)),
        words(Channel.append(NAME, String.class).keepLast(50)),
        words(Channel.append(NAME, String.class).dedupBy(word -> word)),
        words(Channel.append(NAME, String.class).keepTop(50, String::compareTo)),
        words(Channel.byId(NAME, String.class, word -> word)),
        words(Channel.byId(NAME, String.class, word -> word).keepLast(50)),
        words(Channel.topic(NAME, String.class)),
        words(Channel.union(NAME, String.class)),
        words(Channel.gather(NAME, String.class, 1)),
        new Kind<>(Channel.barrier(NAME, Set.of("a", "b")), "a", "b", "a", "b"),
        words(
            Channel.folding(
                NAME, STRINGS, Codec.of(String.class), List.of(), ChannelKindMigrationTest::plus)),
        words(
            Channel.delta(
                NAME, STRINGS, Codec.of(String.class), List.of(), ChannelKindMigrationTest::plus)),
        words(Channel.latest(NAME, String.class)),
        words(Channel.any(NAME, String.class)),
        words(Channel.ephemeral(NAME, String.class)),
        words(Channel.max(NAME, String.class)),
        words(Channel.reduce(NAME, String.class, "", String::concat)),
        lists(Channel.latest(NAME, STRINGS)),
        lists(Channel.token(NAME, STRINGS)),
        new Kind<>(
            Channel.merge(NAME, String.class),
            Map.of("a", "1"),
            Map.of("b", "2"),
            Map.of("a", "3"),
            Map.of("d", "4")),
        numbers(Channel.sum(NAME)),
        numbers(Channel.min(NAME, Long.class)),
        numbers(Channel.latest(NAME, Long.class)));
  }

  /// Writes twice, then asks beside a write; then writes again.
  private static <V, W> Graph graph(Kind<V, W> kind, NodeResult first, NodeResult second) {
    return graph(kind, first, second, kind.write(kind.third()));
  }

  private static <V, W> Graph graph(
      Kind<V, W> kind, NodeResult first, NodeResult second, NodeResult beside) {
    boolean isTaken = kind.channel().reducer().isConsumed();
    var builder =
        Graph.named("kinds")
            .channels(kind.channel())
            .questions(WHAT)
            .node("first", (_, _) -> first)
            .node("second", (_, _) -> second)
            .node("ask", (_, context) -> nothing(context.interrupt(WHAT, "?")))
            .node("beside", (_, _) -> beside)
            .node("last", (_, _) -> isTaken ? NodeResult.nothing() : kind.write(kind.fourth()))
            .edge(START, "first")
            .edge("first", "second")
            .edge("second", "ask")
            .edge("second", "beside")
            .join(List.of("ask", "beside"), "last")
            .edge("last", END);
    return builder.compile();
  }

  private static NodeResult nothing(String answer) {
    return NodeResult.nothing();
  }

  private static <V, W> Graph writing(Kind<V, W> kind) {
    // A token that nobody takes may be written once.
    boolean isSingle = kind.channel().kind().equals("token");
    var second = isSingle ? NodeResult.nothing() : kind.write(kind.second());
    var beside = isSingle ? NodeResult.nothing() : kind.write(kind.third());
    return graph(kind, kind.write(kind.first()), second, beside);
  }

  private static <V> Optional<Json> value(Graph graph, Kind<V, ?> kind, RunOptions options) {
    return graph
        .state(options)
        .orElseThrow()
        .state()
        .find(kind.channel())
        .map(kind.channel().values()::encode);
  }

  /// What the thread should come to: as if its value had been given whole, and what waits had been
  /// written now. Empty if the values do not allow it.
  private static <V, W, O, P> Optional<Json> expected(Kind<V, W> now, Kind<O, P> before)
      throws Exception {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    writing(before).invoke(Input.none(), options);
    var kept = store.latest(Lineage.of("t")).orElseThrow();
    var held = writing(before).state(options).orElseThrow().state().find(before.channel());
    assertThat(kept.channels()).hasSize(1);
    try {
      var carried = held.map(before.channel().values()::encode).map(now.channel().values()::decode);
      boolean isSingle = before.channel().kind().equals("token");
      NodeResult beside =
          isSingle
              ? NodeResult.nothing()
              : now.write(
                  now.channel().writes().decode(before.channel().writes().encode(before.third())));
      NodeResult whole =
          carried.isPresent()
              ? Update.overwrite(now.channel(), carried.get())
              : NodeResult.nothing();
      var reference = graph(now, NodeResult.nothing(), whole, beside);
      var other = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
      reference.invoke(Input.none(), other);
      reference.resume(Answers.to(WHAT, "go on"), other);
      return Optional.of(value(reference, now, other).orElse(Json.ofNull()));
    } catch (SuperstepException _) {
      return Optional.empty();
    }
  }

  private static final class Tally {
    private final AtomicInteger carried = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
  }

  private static <V, W, O, P> void check(
      Kind<O, P> before, Kind<V, W> now, RunOptions options, Tally tally) throws Exception {
    var old = writing(before);
    old.invoke(Input.none(), options);
    var stood = old.state(options).orElseThrow();
    var history = old.history(Optional.empty(), 100, options);
    var graph = graph(now, NodeResult.nothing(), NodeResult.nothing());
    var moving =
        old.topology().hash().equals(graph.topology().hash())
            ? options
            : options.migrations(Migration.between(old.topology().hash(), graph.topology().hash()));
    var expected = expected(now, before);
    if (expected.isEmpty() || isFoldedByItself(before, now)) {
      var refused =
          catchThrowableOfType(
              ThreadError.class, () -> graph.resume(Answers.to(WHAT, "go on"), moving));
      assertThat(refused).isNotNull();
      assertThat(refused.reason()).isEqualTo(ThreadError.Reason.OTHER_GRAPH);
      assertThat(old.history(Optional.empty(), 100, options)).isEqualTo(history);
      assertThat(old.state(options).orElseThrow().checkpoint()).isEqualTo(stood.checkpoint());
      var end = old.resume(Answers.to(WHAT, "go on"), options);
      assertThat(end).isInstanceOf(Outcome.Completed.class);
      tally.refused.incrementAndGet();
      return;
    }
    var end = graph.resume(Answers.to(WHAT, "go on"), moving);
    assertThat(end).isInstanceOf(Outcome.Completed.class);
    assertThat(
            ((Outcome.Completed) end)
                .state()
                .find(now.channel())
                .map(now.channel().values()::encode)
                .orElse(Json.ofNull()))
        .isEqualTo(expected.get());
    assertThat(value(graph, now, options).orElse(Json.ofNull())).isEqualTo(expected.get());
    tally.carried.incrementAndGet();
  }

  /// Only a channel with the function of a delta can fold the writes that it keeps.
  private static boolean isFoldedByItself(Kind<?, ?> before, Kind<?, ?> now) {
    return before.channel().kind().equals("delta")
        && !Set.of("delta", "folding").contains(now.channel().kind());
  }

  /// @param cases which of the numbered cases are tried
  private static Tally all(Checkpointer store, IntPredicate cases) throws Exception {
    var tally = new Tally();
    var problems = new ArrayList<String>();
    int number = -1;
    for (var before : kinds()) {
      for (var now : kinds()) {
        for (var durability : Durability.values()) {
          number++;
          if (!cases.test(number)) continue;
          var options = RunOptions.thread("t" + number).checkpoints(store).durability(durability);
          try {
            check(before, now, options, tally);
          } catch (AssertionError | RuntimeException e) {
            problems.add(before + " -> " + now + " in " + durability + ": " + e);
          }
        }
      }
    }
    assertThat(problems).isEmpty();
    return tally;
  }

  @Test
  void a_channel_of_every_kind_becomes_every_other_or_is_refused_in_memory() throws Exception {
    var tally = all(new InMemoryCheckpointer(), _ -> true);
    assertThat(tally.carried.get()).isEqualTo(3 * CARRIED);
    assertThat(tally.refused.get()).isEqualTo(3 * (kinds().size() * kinds().size() - CARRIED));
  }

  /// Each pair of kinds, in one of the durabilities.
  @Test
  void a_channel_of_every_kind_becomes_every_other_or_is_refused_in_sqlite() throws Exception {
    try (var store = SqliteCheckpointer.open(folder.resolve("kinds.db"))) {
      var tally = all(store, number -> number % 3 == number / 3 % 3);
      assertThat(tally.carried.get()).isEqualTo(CARRIED);
    }
  }

  /// Every case in SQLite.
  @Test
  @Tag("long")
  void every_kind_becomes_every_other_in_every_durability_in_sqlite() throws Exception {
    try (var store = SqliteCheckpointer.open(folder.resolve("kinds.db"))) {
      assertThat(all(store, _ -> true).carried.get()).isEqualTo(3 * CARRIED);
    }
  }

  /// Some of the pairs, in all durabilities.
  @Test
  void a_channel_of_one_kind_becomes_another_in_postgres() throws Exception {
    try (var pool = Postgres.pool(PostgresServer.shared().freshDatabase())) {
      PostgresCheckpointer.migrate(pool);
      try (var store = PostgresCheckpointer.on(pool)) {
        var tally = all(store, number -> number % SOME == 0);
        int cases = (kinds().size() * kinds().size() * 3 + SOME - 1) / SOME;
        assertThat(tally.carried.get() + tally.refused.get()).isEqualTo(cases);
      }
    }
  }
}
