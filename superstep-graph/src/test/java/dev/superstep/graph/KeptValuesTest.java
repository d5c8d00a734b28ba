package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.ValueOverLimit;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.node.Update;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// When values become text, by store and durability.
final class KeptValuesTest {
  private static final int STEPS = 20;
  private static final AtomicInteger WRITTEN = new AtomicInteger();
  private static final AtomicInteger WRITTEN_IN_STORE = new AtomicInteger();
  private static final ThreadLocal<Boolean> IN_STORE = ThreadLocal.withInitial(() -> false);

  /// Counts how often it is written.
  record Note(String text) {
    @Override
    public String text() {
      WRITTEN.incrementAndGet();
      if (IN_STORE.get()) WRITTEN_IN_STORE.incrementAndGet();
      return text;
    }
  }

  record Report(double share, List<String> lines) {}

  record Document(String title, Json body) {}

  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final Channel<Note, Note> NOTE = Channel.latest("note", Note.class);
  private static final Channel<List<Note>, Note> NOTES = Channel.append("notes", Note.class);
  private static final Channel<Report, Report> REPORT = Channel.latest("report", Report.class);
  private static final Channel<Document, Document> DOCUMENT =
      Channel.latest("document", Document.class);
  private static final Channel<String, String> TEXT = Channel.latest("text", String.class);

  /// In memory, behind what might look at texts.
  private static final class Texts extends ForwardingCheckpointer {
    Texts() {
      super(new InMemoryCheckpointer());
    }

    @Override
    public boolean commit(Lease lease, Commit commit) {
      IN_STORE.set(true);
      try {
        for (var change : commit.changes()) assertThat(change.toString()).isNotEmpty();
        return super.commit(lease, commit);
      } finally {
        IN_STORE.set(false);
      }
    }
  }

  private static InMemoryCheckpointer byReference() {
    return new InMemoryCheckpointer(InstantSource.system(), false);
  }

  private static RunOptions options(Checkpointer store, Durability durability) {
    WRITTEN.set(0);
    WRITTEN_IN_STORE.set(0);
    return RunOptions.thread("t").checkpoints(store).durability(durability);
  }

  private static Graph noting() {
    return Graph.named("noting")
        .channels(N, NOTE, NOTES)
        .node(
            "note",
            (s, _) -> {
              var note = new Note("note " + s.get(N));
              return Update.of(N, s.get(N) + 1).and(NOTE, note).and(NOTES, note);
            })
        .edge(START, "note")
        .route("note", s -> s.get(N) % STEPS > 0 ? "note" : END, "note", END)
        .compile();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void values_that_stay_in_memory_are_never_written(Durability durability) throws Exception {
    try (var store = byReference()) {
      var options = options(store, durability);
      completed(noting().invoke(Input.of(N, 0L), options));
      var end = completed(noting().invoke(Input.of(N, (long) STEPS), options));
      assertThat(end.get(NOTES)).hasSize(2 * STEPS);
      var newest = store.latest(Lineage.of("t")).orElseThrow().checkpoint().id();
      Threads.in(store).fork("t", newest, "other");
      var forked = noting().state(RunOptions.thread("other").checkpoints(store)).orElseThrow();
      assertThat(forked.state().get(NOTE)).isSameAs(end.get(NOTE));
      assertThat(WRITTEN).hasValue(0);
      assertThat(store.latest(Lineage.of("other")).toString()).contains("note 39");
    }
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void another_store_gets_texts_that_were_made_before_it_is_called(Durability durability)
      throws Exception {
    try (var store = new Texts()) {
      completed(noting().invoke(Input.of(N, 0L), options(store, durability)));
      // EXIT makes only those that are left: the value of the one channel, the items of the other.
      int expected = durability == Durability.EXIT ? 1 + STEPS : 2 * STEPS;
      assertThat(WRITTEN).hasValue(expected);
      assertThat(WRITTEN_IN_STORE).hasValue(0);
    }
  }

  private static Graph reporting(List<Report> reports) {
    return Graph.named("reporting")
        .channels(N, REPORT)
        .node(
            "report",
            (s, _) -> Update.of(N, s.get(N) + 1).and(REPORT, reports.get(s.get(N).intValue())))
        .edge(START, "report")
        .route("report", s -> s.get(N) < reports.size() ? "report" : END, "report", END)
        .compile();
  }

  private static final Report GOOD = new Report(0.5, List.of("good"));
  private static final Report BAD = new Report(Double.NaN, List.of("bad"));

  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_value_that_cannot_be_written_fails_the_run_of_every_store_but_one_that_keeps_references(
      Durability durability) throws Exception {
    var graph = reporting(List.of(GOOD, BAD));
    try (var text = new Texts();
        var strict = new InMemoryCheckpointer(InstantSource.system(), true);
        var memory = byReference()) {
      for (var store : List.of(text, strict)) {
        assertThatExceptionOfType(MalformedJson.class)
            .isThrownBy(() -> graph.invoke(Input.of(N, 0L), options(store, durability)))
            .withMessageContaining("NaN");
      }
      var end = completed(graph.invoke(Input.of(N, 0L), options(memory, durability)));
      assertThat(end.get(REPORT)).isSameAs(BAD);
    }
  }

  @Test
  void the_end_of_a_run_asks_only_values_that_are_left_whether_they_can_be_stored()
      throws Exception {
    try (var store = new Texts()) {
      var options = options(store, Durability.EXIT);
      completed(reporting(List.of(GOOD, BAD, GOOD)).invoke(Input.of(N, 0L), options));
      assertThat(reporting(List.of()).state(options).orElseThrow().state().get(REPORT))
          .isEqualTo(GOOD);
    }
  }

  @Test
  void nothing_is_saved_at_the_end_of_a_run_if_one_value_cannot_be() throws Exception {
    try (var store = new Texts()) {
      var options = options(store, Durability.EXIT);
      var deep = "[".repeat(460) + "]".repeat(460);
      var graph =
          Graph.named("deep")
              .channels(TEXT, DOCUMENT)
              .node("note", (_, _) -> Update.of(TEXT, "noted"))
              .node("deepen", (_, _) -> Update.of(DOCUMENT, new Document("d", nested(deep))))
              .edge(START, "note")
              .edge("note", "deepen")
              .edge("deepen", END)
              .compile();
      assertThatExceptionOfType(ValueOverLimit.class)
          .isThrownBy(() -> graph.invoke(Input.none(), options))
          .withMessageContaining("channel `document`");
      assertThat(store.latest(Lineage.of("t"))).isEmpty();
    }
  }

  private static Json nested(String text) {
    return Json.unchecked(text);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_list_that_is_changed_after_a_node_returned_it_does_not_change_what_was_saved(
      Durability durability) throws Exception {
    var lines = new ArrayList<>(List.of("first"));
    var graph = reporting(List.of(new Report(1, lines)));
    try (var store = byReference()) {
      var options = options(store, durability);
      completed(graph.invoke(Input.of(N, 0L), options));
      lines.add("later");
      var saved = graph.state(options).orElseThrow();
      assertThat(saved.state().get(REPORT).lines()).containsExactly("first");
    }
  }

  @Test
  void a_store_is_strict_where_assertions_are_enabled() {
    assertThat(new InMemoryCheckpointer().isStrict())
        .isEqualTo(KeptValuesTest.class.desiredAssertionStatus())
        .isTrue();
  }

  // --- JSON in values ---

  @Test
  void json_that_was_checked_is_pasted_without_reading_it() {
    var ones = IntStream.range(0, 100_000).mapToObj(_ -> "1").collect(Collectors.joining(","));
    var body = Json.parse("[" + ones + "]");
    Json.of(new Document("warm", Json.parse("[1]")));
    long before = allocated();
    var json = Json.of(new Document("a", body));
    // Reading it would make an object of each number.
    assertThat(allocated() - before).isLessThan(12L * body.text().length());
    assertThat(json.as(Document.class).body()).isEqualTo(body);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_kept_document_is_read_at_most_once_in_its_life(Durability durability) throws Exception {
    var body = Json.parse("{\"a\":[1,2,{\"b\":null}]}");
    var graph =
        Graph.named("documents")
            .channels(N, DOCUMENT)
            .node(
                "edit",
                (s, _) ->
                    Update.of(N, s.get(N) + 1)
                        .and(DOCUMENT, new Document("n" + s.get(N), s.get(DOCUMENT).body())))
            .edge(START, "edit")
            .route("edit", s -> s.get(N) % STEPS > 0 ? "edit" : END, "edit", END)
            .compile();
    try (var store = byReference()) {
      var options = options(store, durability);
      completed(graph.invoke(Input.of(N, 0L).and(DOCUMENT, new Document("", body)), options));
      completed(graph.invoke(Input.of(N, (long) STEPS), options));
      // Whoever reads JSON makes a new text of it.
      var kept = graph.state(options).orElseThrow().state().get(DOCUMENT);
      assertThat(kept.body().text()).isSameAs(body.text());
    }
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  // --- The cost of the end ---

  private static Graph talking(int steps) {
    return Graph.named("talking")
        .channels(N, NOTES)
        .node("say", (s, _) -> Update.of(N, s.get(N) + 1).and(NOTES, new Note("n" + s.get(N))))
        .edge(START, "say")
        .route("say", s -> s.get(N) < steps ? "say" : END, "say", END)
        .compile();
  }

  private static long bytes(int steps, Durability durability) throws Exception {
    try (var store = new Texts()) {
      var options = options(store, durability).stepLimit(steps + 1);
      var graph = talking(steps);
      long before = allocated();
      completed(graph.invoke(Input.of(N, 0L), options));
      return allocated() - before;
    }
  }

  @Test
  void a_run_that_saves_at_its_end_costs_no_more_for_each_message_however_many_there_are()
      throws Exception {
    bytes(500, Durability.EXIT);
    long some = bytes(2_000, Durability.EXIT);
    long many = bytes(8_000, Durability.EXIT);
    assertThat(many).isLessThan(5 * some);
    assertThat(many).isLessThan(bytes(8_000, Durability.SYNC) * 11 / 10);
  }
}
