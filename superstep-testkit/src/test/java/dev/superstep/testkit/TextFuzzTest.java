package dev.superstep.testkit;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.Kind;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.json.SuperstepException;
import dev.superstep.node.Approval;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Text that is not what it should be is refused by an error that says so, or means what it says.
@Tag("G34")
@Timeout(600)
class TextFuzzTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 1_500);
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Target<Integer> PART = Target.of("part", Integer.class);
  private static final Question<String, Approval> SURE =
      Question.of("sure", String.class, Approval.class);

  private static Graph graph() {
    return Graph.named("odd")
        .channels(SAID)
        .questions(SURE)
        .node("plan", (_, context) -> Update.of(SAID, "" + context.interrupt(SURE, "go?")))
        .node(PART, (n, _, _) -> Update.of(SAID, "part" + n))
        .edge(START, "plan")
        .fanOut("plan", _ -> List.of(Send.to(PART, 1), Send.to(PART, 2)), PART)
        .edge("part", END)
        .compile();
  }

  private static List<Event> events() throws InterruptedException {
    var events = new ArrayList<Event>();
    var options =
        RunOptions.thread("t")
            .checkpoints(new InMemoryCheckpointer())
            .listener(events::add, Detail.values());
    graph().invoke(Input.none(), options);
    graph().resume(Answers.to(SURE, Approval.yes()), options);
    return events;
  }

  @Test
  void damaged_events_are_refused_or_read() throws Exception {
    var valid = events().stream().map(Event::json).toList();
    assertThat(valid).hasSizeGreaterThan(20);
    check(1_000_000, Codec.of(Event.class), valid);
  }

  @Test
  void damaged_filters_are_refused_or_read() throws Exception {
    EventFilter filter =
        EventFilter.kinds(Kind.VALUES, Kind.TASKS).and(EventFilter.within("a", "b").not());
    var codec = Codec.of(EventFilter.class);
    check(2_000_000, codec, List.of(codec.encode(filter)));
  }

  @Test
  void damaged_topologies_are_refused_or_read_and_can_be_drawn() throws Exception {
    var valid = graph().topology().json();
    check(3_000_000, Codec.of(Topology.class), List.of(valid));
    Property.check(
        3_500_000,
        CASES / 4,
        choices -> new Damage(choices).text(valid.text()),
        text -> {
          try {
            var topology = Topology.parse(Json.parse(text));
            assertThat(topology.mermaid()).isNotEmpty();
            assertThat(topology.dot()).isNotEmpty();
            assertThat(topology.hash()).isNotEmpty();
          } catch (SuperstepException _) {
            // Refused.
          }
        });
  }

  @Test
  void damaged_records_of_tasks_and_checkpoints_are_refused_or_read() throws Exception {
    var ends = Codec.of(TaskRecord.End.class);
    var valid = new ArrayList<Json>();
    var sources = new ArrayList<Json>();
    for (var event : events()) {
      if (event instanceof Event.TaskEnded e) valid.add(ends.encode(e.end()));
      if (event instanceof Event.CheckpointSaved e) sources.add(Json.of(e.source()));
    }
    check(4_000_000, ends, valid);
    check(5_000_000, Codec.of(Checkpoint.Source.class), sources);
  }

  @Test
  void damaged_answers_are_refused_or_accepted_and_the_thread_can_resume() throws Exception {
    var valid = Json.of(Approval.yes());
    var taken = new AtomicInteger();
    Property.check(
        6_000_000,
        CASES / 4,
        choices -> new Damage(choices).text(valid.text()),
        text -> {
          var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
          graph().invoke(Input.none(), options);
          try {
            var end = graph().resume(Answers.json("sure", Json.unchecked(text)), options);
            assertThat(end).isInstanceOf(Outcome.Completed.class);
            taken.incrementAndGet();
          } catch (SuperstepException _) {
            // Nothing has happened.
            var end = graph().resume(Answers.to(SURE, Approval.yes()), options);
            assertThat(end).isInstanceOf(Outcome.Completed.class);
          }
        });
    assertThat(taken.get()).isBetween(1, CASES / 4 - 1);
  }

  /// Texts of values, each damaged in some way, are read as the type.
  private static <T> void check(long seed, Codec<T> codec, List<Json> valid) throws Exception {
    var read = new AtomicInteger();
    var refused = new AtomicInteger();
    Property.check(
        seed,
        CASES,
        choices -> {
          var damage = new Damage(choices);
          return choices.chance(20) ? damage.noise() : damage.text(choices.of(valid).text());
        },
        text -> {
          try {
            var value = codec.decode(Json.parse(text));
            // It is what it says it is.
            assertThat(codec.decode(codec.encode(value))).isEqualTo(value);
            read.incrementAndGet();
          } catch (MalformedJson _) {
            refused.incrementAndGet();
          }
          try {
            // Also without being looked at before, as a store gives it.
            codec.decode(Json.unchecked(text));
          } catch (MalformedJson _) {
            refused.incrementAndGet();
          }
        });
    assertThat(read.get()).isPositive();
    assertThat(refused.get()).isGreaterThan(CASES / 2);
  }
}
