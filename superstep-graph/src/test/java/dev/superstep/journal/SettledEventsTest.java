package dev.superstep.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.event.TextPiece;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodePolicy;
import dev.superstep.node.NodeContext;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a task told for nothing is left out.
@Tag("T59")
final class SettledEventsTest {
  private final Desk desk = new Desk();
  private final AtomicInteger attempts = new AtomicInteger();

  private static void say(NodeContext context, String text) {
    context.emitText(new TextPiece("", "m://x", 1, text));
    context.emit("note", text);
  }

  private List<String> texts() {
    return Desk.all(desk.journal().settled()).stream()
        .map(ThreadJournal::event)
        .filter(Event.TextArrived.class::isInstance)
        .map(event -> ((Event.TextArrived) event).piece().text())
        .toList();
  }

  private long provisional(Iterable<Entry> entries) {
    return Desk.all(entries).stream()
        .filter(entry -> ThreadJournal.event(entry).isProvisional())
        .count();
  }

  @Test
  void events_of_a_finished_task_are_settled() throws Exception {
    var graph =
        Desk.of((_, context) -> {
          say(context, "hello");
          return Update.of(Desk.SAID, "a");
        });
    graph.invoke(Input.none(), desk.options());
    assertThat(Desk.all(desk.journal().settled())).isEqualTo(Desk.all(desk.journal()));
    assertThat(texts()).containsExactly("hello");
  }

  private Graph flaky(NodePolicy policy) {
    return Graph.named("g")
        .channels(Desk.SAID)
        .node(
            "a",
            (_, context) -> {
              int attempt = attempts.incrementAndGet();
              say(context, "try " + attempt);
              if (attempt == 1) throw new IllegalStateException("flaky");
              return Update.of(Desk.SAID, "a");
            },
            policy)
        .edge(Graph.START, "a")
        .edge("a", Graph.END)
        .compile();
  }

  @Test
  void only_events_of_the_last_attempt_of_a_retried_node_are_settled() throws Exception {
    var policy = NodePolicy.defaults().retry(Retry.of(2).when(_ -> true));
    flaky(policy).invoke(Input.none(), desk.options().sleeper(_ -> {}));
    assertThat(provisional(desk.journal())).isEqualTo(4);
    assertThat(texts()).containsExactly("try 2");
    assertThat(provisional(desk.journal().settled())).isEqualTo(2);
  }

  @Test
  void events_of_a_node_whose_failure_is_ignored_are_void() throws Exception {
    flaky(NodePolicy.defaults().onFailure(OnFailure.skip())).invoke(Input.none(), desk.options());
    assertThat(Desk.kinds(desk.journal())).contains("node.failed", "node.finished");
    assertThat(provisional(desk.journal())).isEqualTo(2);
    assertThat(texts()).isEmpty();
  }

  @Test
  void events_of_a_failed_run_are_void_and_those_of_the_next_run_are_settled() throws Exception {
    var graph = flaky(NodePolicy.defaults());
    assertThatThrownBy(() -> graph.invoke(Input.none(), desk.options())).isNotNull();
    graph.resume(Answers.none(), desk.options());
    assertThat(texts()).containsExactly("try 2");
  }

  @Test
  void events_of_a_task_before_its_question_are_repeated_and_settled_once() throws Exception {
    var graph =
        Graph.named("g")
            .channels(Desk.SAID)
            .questions(Desk.WHAT)
            .node(
                "a",
                (_, context) -> {
                  say(context, "try " + attempts.incrementAndGet());
                  return Update.of(Desk.SAID, context.interrupt(Desk.WHAT, "colour?"));
                })
            .edge(Graph.START, "a")
            .edge("a", Graph.END)
            .compile();
    var question = Desk.asked(graph.invoke(Input.none(), desk.options()));
    assertThat(texts()).isEmpty();
    graph.resume(Answers.of(question.id(), "red"), desk.options());
    assertThat(texts()).containsExactly("try 2");
  }

  @Test
  void tokens_of_a_process_that_died_are_void() throws Exception {
    var graph =
        Desk.of((_, context) -> {
          say(context, "try " + attempts.incrementAndGet());
          return Update.of(Desk.SAID, "a");
        });
    graph.invoke(Input.none(), desk.options());
    // What a process leaves behind that dies before its task is saved.
    var all = Desk.all(desk.journal());
    var died = new Desk(new InMemoryCheckpointer(), "t");
    var lease = died.store.acquire("t", "me", Duration.ofMinutes(1));
    var cut = all.stream().takeWhile(entry -> !entry.kind().equals("node.finished")).toList();
    died.events().append(lease, cut);
    assertThat(provisional(died.journal())).isEqualTo(2);
    assertThat(provisional(died.journal().settled())).isZero();
    died.store.release(lease);
    graph.invoke(Input.none(), died.options());
    assertThat(provisional(died.journal())).isEqualTo(4);
    assertThat(provisional(died.journal().settled())).isEqualTo(2);
    assertThat(Desk.offsets(died.journal().settled())).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void a_filter_selects_settled_events() throws Exception {
    var policy = NodePolicy.defaults().retry(Retry.of(2).when(_ -> true));
    flaky(policy).invoke(Input.none(), desk.options().sleeper(_ -> {}));
    var texts = desk.journal().only(EntryFilter.all().kinds("text.arrived"));
    assertThat(Desk.all(texts)).hasSize(2);
    assertThat(Desk.kinds(texts.settled())).containsExactly("text.arrived");
  }
}
