package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.internal.kernel.ChannelIndex;
import dev.superstep.graph.internal.kernel.Folding;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// When versions of channels move, and what it costs to know.
@Tag("T78")
@Tag("X10")
@Tag("G6")
class ChannelVersionTest {
  record Item(String id, int text) {}

  /// A channel and random writes to it.
  record Kind<V, W>(Channel<V, W> channel, Function<Random, W> write, @Nullable V whole) {
    Update update(Random random) {
      if (whole != null && random.nextInt(8) == 0) return Update.overwrite(channel, whole);
      if (channel.reducer().hasKeys() && random.nextInt(4) == 0) {
        return Update.remove(channel, "k" + random.nextInt(4));
      }
      var writes = new ArrayList<W>();
      int most = channel.reducer().isAggregate() ? 3 : 1;
      for (int i = random.nextInt(most + 1); i > 0; i--) writes.add(write.apply(random));
      if (writes.isEmpty() && most == 1) return new Update(List.of());
      return writes.size() == 1
          ? Update.of(channel, writes.getFirst())
          : Update.all(channel, writes);
    }
  }

  /// Few different values, so that many writes change nothing.
  static String few(Random random) {
    return "k" + random.nextInt(3);
  }

  static Stream<Kind<?, ?>> kinds() {
    var count = new AtomicLong();
    Function<Random, String> few = ChannelVersionTest::few;
    Function<Random, Integer> number = random -> random.nextInt(4);
    Function<Random, String> fresh = _ -> "w" + count.incrementAndGet();
    Function<Random, Item> item = random -> new Item(few(random), random.nextInt(2));
    return Stream.of(
        new Kind<>(Channel.latest("latest", String.class), few, "k1"),
        new Kind<>(Channel.any("any", String.class), few, "k1"),
        new Kind<>(Channel.ephemeral("ephemeral", String.class), few, "k1"),
        new Kind<>(Channel.untracked("untracked", String.class), few, "k1"),
        new Kind<>(Channel.topic("topic", String.class), few, List.of("k1")),
        new Kind<>(Channel.token("token", String.class), few, "k1"),
        new Kind<>(Channel.barrier("barrier", Set.of("k0", "k1", "k2")), few, Set.of("k1")),
        new Kind<>(Channel.gather("gather", String.class, 5), few, List.of("k1")),
        new Kind<>(Channel.append("append", String.class), few, List.of("k1")),
        new Kind<>(Channel.append("last", String.class).keepLast(3), fresh, List.of("k1")),
        new Kind<>(Channel.byId("by-id", Item.class, Item::id), item, List.of(new Item("k1", 1))),
        new Kind<>(
            Channel.merge("merge", Integer.class),
            random -> Map.of(few(random), random.nextInt(2)),
            Map.of("k1", 1)),
        new Kind<>(Channel.union("union", String.class), few, Set.of("k1")),
        new Kind<>(Channel.sum("sum"), random -> (long) random.nextInt(-1, 2), 5L),
        new Kind<>(Channel.min("min", Integer.class), number, 2),
        new Kind<>(Channel.max("max", Integer.class), number, 2),
        new Kind<>(Channel.reduce("reduce", Integer.class, 0, (a, b) -> a ^ b), number, 1),
        new Kind<>(
            Channel.folding("folding", Integer.class, Integer.class, 0, (a, b) -> a | b),
            number,
            1),
        new Kind<>(
            Channel.delta("delta", String.class, Integer.class, "", ChannelVersionTest::grown),
            number,
            "1"));
  }

  /// Says itself that nothing changed, by what it returns.
  static String grown(String value, int write) {
    return write == 0 || value.length() > 40 ? value : value + write;
  }

  @TestFactory
  @Tag("G1")
  Stream<DynamicTest> a_version_moves_by_one_in_a_superstep_that_changes_the_value_and_else_not() {
    return kinds().map(kind -> DynamicTest.dynamicTest(kind.channel().kind(), () -> check(kind)));
  }

  private static void check(Kind<?, ?> kind) {
    var random = new Random(42);
    var index = new ChannelIndex("g", List.of(kind.channel()));
    var at = Snapshot.initial(index);
    int moved = 0;
    int stayed = 0;
    for (int step = 0; step < 2_000; step++) {
      var cells = at.copyCells();
      var folding = new Folding(index);
      boolean present = cells.value(0) != null;
      boolean takes = kind.channel().reducer().isConsumed() && present && random.nextInt(3) == 0;
      if (takes) folding.consume(0);
      var writes = kind.update(random).writes();
      // A token that nobody takes must not be written.
      boolean blocked = kind.channel().kind().equals("token") && present && !takes;
      folding.add(null, blocked ? List.<Write>of() : writes);
      var changes = folding.into(cells);
      var next = new Snapshot(index, cells, at.position());
      boolean changed = takes || !Objects.equals(seen(kind, at), seen(kind, next));
      assertThat(cells.version(0) - at.version(0))
          .as("in superstep %s", step)
          .isEqualTo(changed ? 1 : 0);
      assertThat(changes).hasSize(changed ? 1 : 0);
      if (changed) moved++;
      else stayed++;
      at = next;
    }
    assertThat(moved).isGreaterThan(0);
    assertThat(stayed).isGreaterThan(100);
  }

  /// What has come to a barrier is part of it, though it cannot be read.
  private static @Nullable Object seen(Kind<?, ?> kind, Snapshot at) {
    boolean hidden = kind.channel().reducer().isConsumed();
    return hidden ? at.value(0) : at.find(kind.channel()).orElse(null);
  }

  /// Counts how often one is compared or hashed.
  record Counted(String id, String text) {
    static final AtomicLong USES = new AtomicLong();

    @Override
    public boolean equals(@Nullable Object other) {
      USES.incrementAndGet();
      return other instanceof Counted(var otherId, var otherText)
          && id.equals(otherId)
          && text.equals(otherText);
    }

    @Override
    public int hashCode() {
      return id.hashCode();
    }
  }

  @Test
  void change_detection_costs_as_much_as_the_writes_not_the_value() {
    var append = Channel.append("append", Counted.class);
    var byId = Channel.byId("by-id", Counted.class, Counted::id);
    var union = Channel.union("union", Counted.class);
    var delta =
        Channel.<List<Counted>, Counted>delta(
            "delta",
            dev.superstep.json.Codec.listOf(Counted.class),
            dev.superstep.json.Codec.of(Counted.class),
            List.of(),
            (list, item) -> Stream.concat(list.stream(), Stream.of(item)).toList());
    var merge = Channel.merge("merge", Counted.class);
    IntFunction<List<Write>> one =
        number -> {
          var item = new Counted("i" + number, "x");
          var update = Update.of(append, item).and(byId, item).and(union, item).and(delta, item);
          return update.and(merge, Map.of(item.id(), item)).writes();
        };
    var index = new ChannelIndex("g", List.of(append, byId, union, delta, merge));
    var at = Snapshot.initial(index);
    var cells = at.copyCells();
    for (int i = 0; i < 2_000; i += 500) {
      var folding = new Folding(index);
      for (int j = i; j < i + 500; j++) folding.add(null, one.apply(j));
      folding.into(cells);
    }
    Counted.USES.set(0);
    for (int i = 1_998; i < 2_002; i++) {
      var folding = new Folding(index);
      folding.add(null, one.apply(i));
      folding.into(cells);
    }
    assertThat(Counted.USES.get()).isLessThan(100);
  }

  @TestFactory
  @Tag("G24")
  @Tag("W52")
  Stream<DynamicTest> commutative_writes_do_not_depend_on_task_order() {
    return Stream.of(
            new Kind<>(Channel.sum("sum"), random -> (long) random.nextInt(-9, 9), null),
            new Kind<>(Channel.min("min", Integer.class), random -> random.nextInt(), null),
            new Kind<>(Channel.max("max", Integer.class), random -> random.nextInt(), null),
            new Kind<>(Channel.union("union", String.class), ChannelVersionTest::few, null),
            new Kind<>(
                Channel.barrier("barrier", Set.of("k0", "k1", "k2")),
                ChannelVersionTest::few,
                null),
            new Kind<>(
                Channel.reduce("and", Integer.class, -1, (a, b) -> a & b),
                random -> random.nextInt(),
                null))
        .map(kind -> DynamicTest.dynamicTest(kind.channel().name(), () -> commutes(kind)));
  }

  private static void commutes(Kind<?, ?> kind) {
    var random = new Random(7);
    for (int round = 0; round < 200; round++) {
      var tasks = new ArrayList<List<Write>>();
      for (int i = 0; i < 6; i++) tasks.add(kind.update(random).writes());
      var one = folded(kind, tasks);
      Collections.shuffle(tasks, random);
      // Sets are compared as sets.
      assertThat(folded(kind, tasks)).isEqualTo(one);
    }
  }

  private static @Nullable Object folded(Kind<?, ?> kind, List<List<Write>> tasks) {
    var index = new ChannelIndex("g", List.of(kind.channel()));
    var at = Snapshot.initial(index);
    var cells = at.copyCells();
    var folding = new Folding(index);
    for (var writes : tasks) folding.add(null, writes);
    folding.into(cells);
    return cells.value(0);
  }
}
