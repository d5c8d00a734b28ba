package dev.superstep.registry;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.EventHub;
import dev.superstep.event.RunStatus;
import dev.superstep.event.RunStatuses;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a server or a command needs in order to control a program: it lists, runs, looks, resumes
/// and follows by names alone.
class ControlSurfaceTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Question<String, String> ASK =
      Question.of("ask", String.class, String.class);

  private static Registry program() {
    var graph =
        Graph.named("desk")
            .channels(SAID)
            .questions(ASK)
            .node("ask", (_, context) -> Update.of(SAID, context.interrupt(ASK, "colour?")))
            .edge(START, "ask")
            .edge("ask", END)
            .compile();
    var agent = Agent.named("clerk").model(ScriptedModel.saying("Hello.")).build();
    return Registry.named("program")
        .register(Component.of(Kind.GRAPH, "desk", graph))
        .register(Component.of(Kind.AGENT, "clerk", agent));
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @Tag("T132")
  void definitions_runs_checkpoints_and_events_are_found_by_name(Durability when) throws Exception {
    var registry = program();
    var store = new InMemoryCheckpointer();
    var runs = new RunStatuses(10);
    var hub = new EventHub();
    var live = hub.subscribe(EventFilter.thread("t"));
    var options =
        RunOptions.thread("t")
            .checkpoints(store)
            .durability(when)
            .journal()
            .listener(runs)
            .listener(hub);
    // Definitions and components.
    assertThat(registry.list(Kind.GRAPH)).extracting(one -> one.id().name()).contains("desk");
    assertThat(registry.list()).hasSize(2);
    var desk = registry.get(Kind.GRAPH, "desk");
    // Runs of graphs and agents.
    var open = ((Outcome.Interrupted) desk.invoke(Input.none(), options)).questions().getFirst();
    assertThat(registry.get(Kind.AGENT, "clerk").run("Hi.").report().modelCalls()).isEqualTo(1);
    var first = runs.newest(1).getFirst();
    assertThat(first.stage()).isEqualTo(RunStatus.Stage.INTERRUPTED);
    assertThat(runs.find(first.run())).contains(first);
    // Threads and checkpoints.
    var threads = Threads.in(store);
    assertThat(threads.list(ThreadQuery.newest(9)))
        .extracting(at -> at.thread())
        .containsExactly("t");
    var checkpoints = threads.history("t", Optional.empty(), 10);
    assertThat(checkpoints).extracting(Checkpoint::graph).containsOnly("desk");
    // Resumption, from what was listed.
    assertThat(desk.state(options).orElseThrow().questions()).containsExactly(open);
    var end = (Outcome.Completed) desk.resume(Answers.of(open.id(), "red"), options);
    assertThat(end.state().get(SAID)).containsExactly("red");
    // Runs of a thread and their events, stored and live.
    var second = runs.newest(1).getFirst();
    assertThat(second.stage()).isEqualTo(RunStatus.Stage.COMPLETED);
    hub.close();
    var heard = new ArrayList<String>();
    for (var event : live) heard.add(event.origin().run());
    assertThat(heard.stream().distinct()).containsExactly(first.run(), second.run());
    var stored = new ArrayList<Event>();
    for (var entry : ThreadJournal.of(store, "t")) stored.add(ThreadJournal.event(entry));
    assertThat(stored.getFirst()).isInstanceOf(Event.RunStarted.class);
    assertThat(stored.getLast()).isInstanceOf(Event.RunCompleted.class);
    assertThat(stored.stream().map(event -> event.origin().run()).distinct())
        .containsExactly(first.run(), second.run());
  }
}
