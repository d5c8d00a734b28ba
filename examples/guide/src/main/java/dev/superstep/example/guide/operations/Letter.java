package dev.superstep.example.guide.operations;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.journal.Projections;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import java.util.Optional;

/// A letter that is finished, and another one that begins in the middle of it.
public final class Letter {
  static final Channel<String, String> TEXT = Channel.latest("text", String.class);

  private Letter() {}

  static Graph graph() {
    return Graph.named("letter")
        .channels(TEXT)
        .node("greet", (_, _) -> Update.of(TEXT, "Dear all"))
        .node("polish", (state, _) -> Update.of(TEXT, state.get(TEXT) + ", good morning"))
        .node("sign", (state, _) -> Update.of(TEXT, state.get(TEXT) + ". Yours, Ada"))
        .edge(START, "greet")
        .edge("greet", "polish")
        .edge("polish", "sign")
        .edge("sign", END)
        .compile();
  }

  public static void main(String[] args) throws InterruptedException {
    try (var store = new InMemoryCheckpointer()) {
      var graph = graph();
      var all = RunOptions.thread("all").checkpoints(store).journal();
      graph.invoke(Input.none(), all);

      var threads = Threads.in(store);
      var greeted =
          threads.history("all", Optional.empty(), 10).stream()
              .filter(at -> at.step() == 1)
              .findFirst()
              .orElseThrow();
      threads.fork("all", greeted.id(), "bob");

      var bob = RunOptions.thread("bob").checkpoints(store).journal();
      graph.update(bob, StateUpdate.as("greet", Update.of(TEXT, "Dear Bob")));
      graph.resume(Answers.none(), bob);
      for (var options : new RunOptions[] {all, bob}) {
        System.out.println(graph.state(options).orElseThrow().state().get(TEXT));
      }

      var journal = ThreadJournal.of(store, "bob");
      var told = EntryFilter.all().kinds("thread.forked", "state.updated", "node.finished");
      for (var entry : journal.only(told)) {
        System.out.println((entry.kind() + " " + entry.node()).strip());
      }
      var status = journal.project(Projections.status()).value().newest().orElseThrow();
      System.out.println(status.stage() + " after " + status.steps() + " supersteps");
    }
  }
}
