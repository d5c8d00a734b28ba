package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.event.Event;
import dev.superstep.event.Redaction;
import dev.superstep.event.TextPiece;
import dev.superstep.graph.internal.persistence.JournalWriter;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a run tells is kept with what it saves.
@Tag("T58")
final class StepResultsTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final RunOptions options = RunOptions.thread("t").checkpoints(store);

  private List<Entry> entries() {
    return store.entries("t", 0, 1_000, EntryFilter.all());
  }

  private static Graph line(Node first) {
    return Graph.named("g")
        .channels(SAID)
        .questions(WHAT)
        .node("a", first)
        .node("b", (_, context) -> Update.of(SAID, context.interrupt(WHAT, "secret question")))
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END)
        .compile();
  }

  @Test
  void a_run_without_a_journal_stores_no_events() throws Exception {
    asked(line((_, _) -> Update.of(SAID, "a")).invoke(Input.none(), options));
    assertThat(entries()).isEmpty();
  }

  @Test
  void a_journal_has_the_same_events_in_the_same_order_as_a_listener() throws Exception {
    var heard = new ArrayList<Event>();
    var graph = line((_, _) -> Update.of(SAID, "a"));
    var told = options.journal(Redaction.none()).listener(heard::add);
    var question = asked(graph.invoke(Input.none(), told)).getFirst();
    completed(graph.resume(Answers.of(question.id(), "red"), told));
    assertThat(entries())
        .extracting(Entry::kind)
        .containsExactlyElementsOf(heard.stream().map(JournalWriter::kind).toList());
    assertThat(entries())
        .extracting(Entry::offset)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, heard.size()).boxed().toList());
    assertThat(entries().getFirst().id()).isEqualTo(heard.getFirst().origin().run() + "-evt-1");
  }

  @Test
  @Tag("X6")
  void events_of_a_failed_save_are_not_published() throws Exception {
    var dying =
        new ForwardingCheckpointer(store) {
          @Override
          public boolean commit(Lease lease, Commit commit) {
            if (commit.checkpoint().step() == 1) {
              throw new StoreFailed("here", "it is full", new IllegalStateException("full"));
            }
            return super.commit(lease, commit);
          }
        };
    var heard = new ArrayList<Event>();
    var graph = line((_, _) -> Update.of(SAID, "a"));
    var told =
        RunOptions.thread("t").checkpoints(dying).journal(Redaction.none()).listener(heard::add);
    thrown(StoreFailed.class, () -> graph.invoke(Input.none(), told));
    assertThat(entries()).extracting(Entry::kind).doesNotContain("node.finished", "step.finished");
    assertThat(Runs.kinds(heard)).doesNotContain("node.finished a");
    assertThat(entries()).extracting(Entry::kind).endsWith("run.failed");
  }

  @Test
  void many_tokens_become_one_journal_entry() throws Exception {
    var graph =
        line((_, context) -> {
          for (int i = 0; i < 100; i++)
            context.emitText(new TextPiece("", "m://x", 1, "t" + i + " "));
          return Update.of(SAID, "a");
        });
    asked(graph.invoke(Input.none(), options.journal(Redaction.none())));
    var texts = entries().stream().filter(e -> e.kind().equals("text.arrived")).toList();
    assertThat(texts).hasSize(1);
    assertThat(texts.getFirst().event().text()).contains("t0 t1 t2", "t99 ");
  }

  @Test
  void tokens_of_parallel_branches_become_separate_entries() throws Exception {
    var builder = Graph.named("g").channels(SAID);
    for (int n = 0; n < 8; n++) {
      var name = "n" + n;
      builder
          .node(
              name,
              (_, context) -> {
                for (int i = 0; i < 50; i++) {
                  context.emitText(new TextPiece("", "m://x", 1, name + "."));
                }
                return Update.of(SAID, name);
              })
          .edge(START, name)
          .edge(name, END);
    }
    completed(builder.compile().invoke(Input.none(), options.journal(Redaction.none())));
    var texts = entries().stream().filter(e -> e.kind().equals("text.arrived")).toList();
    for (int n = 0; n < 8; n++) {
      var name = "n" + n;
      var said = new StringBuilder();
      for (var entry : texts) {
        if (!entry.node().equals(name)) continue;
        var text = entry.event().text();
        said.append(text, text.indexOf("\"text\":\"") + 8, text.lastIndexOf('"'));
      }
      assertThat(said.toString().split("\\.")).hasSize(50).containsOnly(name);
    }
    assertOrder();
  }

  /// Nothing ends in it before it begins.
  private void assertOrder() {
    var begun = new ArrayList<String>();
    for (var entry : entries()) {
      if (entry.kind().equals("node.started")) begun.add(entry.node());
      if (entry.kind().equals("node.finished")) assertThat(begun).contains(entry.node());
    }
    assertThat(begun).hasSize(8);
  }

  @Test
  @Tag("T59")
  void excluded_events_are_left_out_and_the_rest_can_be_followed() throws Exception {
    var graph =
        line((_, context) -> {
          context.emit("note", "secret note");
          context.emitText(new TextPiece("", "m://x", 1, "secret text"));
          return Update.of(SAID, "secret");
        });
    var told = options.journal(Redaction.payloads()).label("user", "secret user");
    var question = asked(graph.invoke(Input.none(), told)).getFirst();
    completed(graph.resume(Answers.of(question.id(), "secret answer"), told));
    var all = entries().stream().map(e -> e.event().text()).toList();
    assertThat(all).noneMatch(text -> text.contains("secret"));
    assertThat(entries())
        .extracting(Entry::kind)
        .contains("node.emitted", "text.arrived", "interrupt.raised", "interrupt.answered");
    assertThat(all).anyMatch(text -> text.contains(question.id()));
  }

  @Test
  void a_redaction_that_throws_drops_all_texts() throws Exception {
    Redaction broken =
        event -> {
          throw new IllegalStateException("broken");
        };
    var graph =
        line((_, context) -> {
          context.emit("note", "secret note");
          return Update.of(SAID, "a");
        });
    asked(graph.invoke(Input.none(), options.journal(broken)));
    assertThat(entries()).isNotEmpty().noneMatch(e -> e.event().text().contains("secret"));
  }

  @Test
  void events_of_subgraphs_are_recorded_with_their_path() throws Exception {
    var outer =
        Graph.named("outer")
            .channels(SAID)
            .node("sub", Subgraph.shared(line((_, _) -> Update.of(SAID, "a"))))
            .edge(START, "sub")
            .edge("sub", END)
            .compile();
    asked(outer.invoke(Input.none(), options.journal(Redaction.none())));
    var inside = store.entries("t", 0, 100, EntryFilter.all().under("sub").kinds("node.finished"));
    assertThat(inside).hasSize(1);
    assertThat(inside.getFirst().node()).isEqualTo("a");
    assertThat(inside.getFirst().graph()).isEqualTo("g");
  }

  @Test
  void events_from_before_a_failed_save_are_recorded_once_the_store_works() throws Exception {
    for (boolean wasKept : new boolean[] {false, true}) {
      var memory = new InMemoryCheckpointer();
      var failed = new AtomicBoolean();
      var troubled =
          new ForwardingCheckpointer(memory) {
            @Override
            public boolean commit(Lease lease, Commit commit) {
              boolean fails = commit.checkpoint().step() == 1 && failed.compareAndSet(false, true);
              // As when the answer to a commit is lost.
              boolean commits = !fails || wasKept;
              boolean committed = commits && super.commit(lease, commit);
              if (!fails) return committed;
              throw new StoreFailed("here", "it went away", new IllegalStateException("away"));
            }
          };
      var told = RunOptions.thread("t").checkpoints(troubled).journal();
      var graph =
          line((_, context) -> {
            context.emit("hello", "you");
            return Update.of(SAID, "a");
          });
      thrown(StoreFailed.class, () -> graph.invoke(Input.none(), told));
      var kinds = memory.entries("t", 0, 100, EntryFilter.all()).stream().map(Entry::kind).toList();
      assertThat(kinds).containsOnlyOnce("node.started", "node.emitted").endsWith("run.failed");
      assertThat(kinds.contains("node.finished")).isEqualTo(wasKept);
    }
  }
}
