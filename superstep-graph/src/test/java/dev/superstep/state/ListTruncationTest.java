package dev.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("G7")
@Tag("G8")
class ListTruncationTest {
  record Doc(String id, String url, long score) {}

  static final Channel<List<Doc>, Doc> PLAIN = Channel.append("docs", Doc.class);
  static final Channel<List<Doc>, Doc> BY_ID = Channel.byId("docs", Doc.class, Doc::id);
  static final Comparator<Doc> BEST = Comparator.comparing(Doc::score);

  static Doc doc(String url, long score) {
    return new Doc(url, url, score);
  }

  /// A channel's value, and beside it the items as a store would hold them.
  static final class Line {
    private final Channel<List<Doc>, Doc> channel;
    private final List<Json> stored = new ArrayList<>();
    private List<Doc> value;
    private long written;

    Line(Channel<List<Doc>, Doc> channel) {
      this.channel = channel;
      this.value = Objects.requireNonNull(channel.reducer().initial());
    }

    /// Whether anything changed.
    boolean add(Doc... writes) {
      return become(channel.reducer().fold(value, List.of(writes)));
    }

    boolean remove(String id) {
      return become(channel.reducer().remove(value, id));
    }

    void restart() {
      value = channel.items().orElseThrow().decode(stored);
    }

    private boolean become(Folded<List<Doc>> folded) {
      value = Objects.requireNonNull(folded.value());
      if (!folded.changed()) return false;
      stored.subList(folded.kept(), stored.size()).clear();
      var added = channel.items().orElseThrow().encode(value, folded.kept());
      stored.addAll(added);
      written += added.size();
      return true;
    }
  }

  @Test
  void only_the_greatest_items_stay_in_insertion_order() {
    var line = new Line(PLAIN.keepTop(2, BEST));
    assertThat(line.add(doc("a", 3), doc("b", 1), doc("c", 2))).isTrue();
    assertThat(line.value).containsExactly(doc("a", 3), doc("c", 2));
    assertThat(line.add(doc("d", 9))).isTrue();
    assertThat(line.value).containsExactly(doc("a", 3), doc("d", 9));
  }

  @Test
  @Tag("X10")
  void an_item_below_the_greatest_changes_nothing() {
    var line = new Line(PLAIN.keepTop(2, BEST));
    line.add(doc("a", 3), doc("b", 2));
    assertThat(line.add(doc("c", 1))).isFalse();
    assertThat(line.add(doc("equal in rank", 2))).as("the older stays").isFalse();
    assertThat(line.value).containsExactly(doc("a", 3), doc("b", 2));
  }

  @Test
  @Tag("X10")
  void a_repeated_item_changes_nothing() {
    var line = new Line(PLAIN.dedupBy(Doc::url));
    assertThat(line.add(doc("a", 1), doc("b", 1), doc("a", 2))).isTrue();
    assertThat(line.value).containsExactly(doc("a", 1), doc("b", 1));
    assertThat(line.add(doc("b", 7))).isFalse();
    assertThat(line.channel.reducer().adopt(List.of(doc("x", 1), doc("x", 2))))
        .containsExactly(doc("x", 1));
  }

  @Test
  @Tag("X10")
  void replacing_an_item_by_an_equal_one_changes_nothing() {
    var line = new Line(PLAIN.keepLast(2));
    line.add(doc("a", 1), doc("a", 1));
    assertThat(line.add(doc("a", 1))).isFalse();
    assertThat(line.add(doc("b", 1))).isTrue();
  }

  @Test
  void the_order_of_the_cuts_is_the_order_of_the_calls() {
    var docs = new Doc[] {doc("a", 9), doc("b", 8), doc("c", 1), doc("d", 2)};
    var bestThenNewest = new Line(PLAIN.keepTop(2, BEST).keepLast(1));
    var newestThenBest = new Line(PLAIN.keepLast(2).keepTop(1, BEST));
    bestThenNewest.add(docs);
    newestThenBest.add(docs);
    assertThat(bestThenNewest.value).containsExactly(doc("b", 8));
    assertThat(newestThenBest.value).containsExactly(doc("d", 2));
  }

  @Test
  void a_dropped_item_counts_as_new_when_it_is_added_again() {
    var line = new Line(PLAIN.dedupBy(Doc::url).keepLast(2));
    line.add(doc("a", 1));
    line.add(doc("b", 1));
    line.add(doc("c", 1));
    assertThat(line.add(doc("a", 2))).isTrue();
    assertThat(line.value).containsExactly(doc("c", 1), doc("a", 2));
  }

  /// One of the cuts, on a plain list.
  private interface Model {
    void cut(List<Doc> items);
  }

  private record Made(Channel<List<Doc>, Doc> channel, List<Model> cuts, String text) {}

  private static Made made(SplittableRandom random, boolean byId) {
    var made = new Made(byId ? BY_ID : PLAIN, List.of(), byId ? "by-id" : "append");
    for (int n = random.nextInt(1, 5); n > 0; n--) made = then(made, random);
    return made;
  }

  private static Made then(Made before, SplittableRandom random) {
    var channel = before.channel();
    int most = random.nextInt(1, 8);
    return switch (random.nextInt(4)) {
      case 0 -> with(before, channel.keepLast(most), items -> newest(items, most), "last " + most);
      case 1 ->
          with(before, channel.keepTop(most, BEST), items -> best(items, most), "top " + most);
      case 2 -> with(before, channel.dedupBy(Doc::url), ListTruncationTest::once, "dedup");
      default -> {
        int budget = most * 4;
        var within = channel.keepWithin(budget, Doc::score);
        yield with(before, within, items -> within(items, budget), "within " + budget);
      }
    };
  }

  private static Made with(Made before, Channel<List<Doc>, Doc> channel, Model cut, String text) {
    var cuts = new ArrayList<>(before.cuts());
    cuts.add(cut);
    return new Made(channel, cuts, before.text() + ", " + text);
  }

  private static void newest(List<Doc> items, int most) {
    while (items.size() > most) items.removeFirst();
  }

  private static void within(List<Doc> items, int budget) {
    while (items.size() > 1 && items.stream().mapToLong(Doc::score).sum() > budget) {
      items.removeFirst();
    }
  }

  private static void best(List<Doc> items, int most) {
    while (items.size() > most) {
      int worst = 0;
      for (int i = 1; i < items.size(); i++) {
        if (items.get(i).score() <= items.get(worst).score()) worst = i;
      }
      items.remove(worst);
    }
  }

  private static void once(List<Doc> items) {
    var byUrl = new LinkedHashMap<String, Doc>();
    for (var item : items) byUrl.putIfAbsent(item.url(), item);
    items.clear();
    items.addAll(byUrl.values());
  }

  private static void modelAdd(List<Doc> model, List<Doc> writes, boolean byId) {
    if (!byId) {
      model.addAll(writes);
      return;
    }
    var map = new LinkedHashMap<String, Doc>();
    for (var item : model) map.put(item.id(), item);
    for (var item : writes) map.put(item.id(), item);
    model.clear();
    model.addAll(map.values());
  }

  @Test
  @Tag("X10")
  void any_cuts_in_any_order_with_any_history_and_restarts_equal_a_plain_model() {
    var met = new HashMap<String, Integer>();
    for (int seed = 1; seed <= 400; seed++) {
      var random = new SplittableRandom(seed);
      boolean byId = random.nextInt(3) == 0;
      var made = made(random, byId);
      met.merge(made.channel().kind(), 1, Integer::sum);
      var line = new Line(made.channel());
      var model = new ArrayList<Doc>();
      for (int i = 0; i < 60; i++) {
        var as = "seed " + seed + ", change " + i + ": " + made.text();
        var before = List.copyOf(model);
        boolean changed;
        if (byId && random.nextInt(6) == 0) {
          var id = "i" + random.nextInt(12);
          model.removeIf(item -> item.id().equals(id));
          changed = line.remove(id);
        } else {
          var writes = new ArrayList<Doc>();
          for (int n = random.nextInt(1, 4); n > 0; n--) writes.add(randomDoc(random));
          modelAdd(model, writes, byId);
          changed = line.add(writes.toArray(Doc[]::new));
        }
        for (var cut : made.cuts()) cut.cut(model);
        assertThat(line.value).as(as).isEqualTo(model);
        assertThat(changed).as(as).isEqualTo(!before.equals(model));
        if (random.nextInt(4) == 0) line.restart();
        assertThat(line.value).as(as).isEqualTo(model);
      }
    }
    assertThat(met)
        .containsOnlyKeys(
            "append-bounded",
            "by-id-bounded",
            "append-distinct",
            "append-distinct-bounded",
            "append-sifted",
            "append-distinct-sifted",
            "by-id-sifted");
  }

  private static Doc randomDoc(SplittableRandom random) {
    var id = "i" + random.nextInt(12);
    return new Doc(id, "u" + random.nextInt(9), random.nextLong(7));
  }

  @Test
  @Tag("X10")
  void ten_thousand_distinct_items_are_compared_and_written_a_few_times_each() {
    var asked = new AtomicLong();
    var once =
        PLAIN.dedupBy(doc -> {
          asked.incrementAndGet();
          return doc.url();
        });
    for (var channel : List.of(once, once.keepLast(1_000))) {
      asked.set(0);
      var line = new Line(channel);
      for (int i = 0; i < 10_000; i++) {
        line.add(doc("u" + i, 1));
        line.add(doc("u" + i, 2));
      }
      assertThat(asked.get()).as(channel.kind()).isLessThan(200_000);
      assertThat(line.written).as(channel.kind()).isLessThanOrEqualTo(20_000);
    }
  }

  @Test
  void cuts_are_for_lists_whose_items_stay() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Channel.gather("x", Doc.class, 2).dedupBy(Doc::url))
        .withMessageContaining("`x` is gather");
    assertThatIllegalArgumentException().isThrownBy(() -> PLAIN.keepTop(0, BEST));
    assertThat(PLAIN.dedupBy(Doc::url).keepLast(3).keepTop(2, BEST))
        .hasToString("docs: append-distinct-sifted list<Doc>");
  }
}
