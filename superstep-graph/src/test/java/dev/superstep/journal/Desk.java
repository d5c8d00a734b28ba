package dev.superstep.journal;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.event.Redaction;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.time.Instant;
import java.util.List;
import java.util.stream.StreamSupport;

/// Graphs whose journals are read, and short ways to read them.
final class Desk {
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  static final Question<String, String> WHAT = Question.of("what", String.class, String.class);

  final Checkpointer store;
  final String thread;

  Desk() {
    this(new InMemoryCheckpointer(), "t");
  }

  Desk(Checkpointer store, String thread) {
    this.store = store;
    this.thread = thread;
  }

  RunOptions options() {
    return RunOptions.thread(thread).checkpoints(store).journal(Redaction.none());
  }

  EventJournal events() {
    return store.capability(EventJournal.class).orElseThrow();
  }

  ThreadJournal journal() {
    return ThreadJournal.of(store, thread);
  }

  /// One node.
  static Graph of(Node node) {
    return Graph.named("g")
        .channels(SAID)
        .node("a", node)
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  /// A node that writes, then one that asks.
  static Graph asking() {
    return Graph.named("g")
        .channels(SAID)
        .questions(WHAT)
        .node("a", (_, _) -> Update.of(SAID, "a"))
        .node("b", (_, context) -> Update.of(SAID, context.interrupt(WHAT, "which colour?")))
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END)
        .compile();
  }

  /// Runs the graph that asks, and answers.
  void ask(String answer) throws InterruptedException {
    var graph = asking();
    var question = asked(graph.invoke(Input.none(), options()));
    graph.resume(Answers.of(question.id(), answer), options());
  }

  static Interrupt asked(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Interrupted.class);
    return ((Outcome.Interrupted) outcome).questions().getFirst();
  }

  /// An entry that tells nothing but its name.
  static Entry entry(String run, String node) {
    return new Entry(
        0, Instant.EPOCH, run, "g", List.of(), node, "note", Json.parse("{\"type\":\"note\"}"));
  }

  static List<Entry> all(Iterable<Entry> entries) {
    return StreamSupport.stream(entries.spliterator(), false).toList();
  }

  static List<String> kinds(Iterable<Entry> entries) {
    return all(entries).stream().map(Entry::kind).toList();
  }

  static List<Long> offsets(Iterable<Entry> entries) {
    return all(entries).stream().map(Entry::offset).toList();
  }
}
