package dev.superstep.lobe;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.lobe.InspectionPolicy.Ruling;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Lobes come to the same state however many of them are at work at once.
@Tag("E24")
@Tag("X1")
class RandomLobesTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 60);
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Channel<Long, Long> SUM = Channel.sum("sum");
  private static final Channel<List<Long>, Long> HIDDEN = Channel.append("hidden", Long.class);

  /// @param every in which rounds it wants a turn: those that this divides
  private record Part(int priority, int cost, int every, boolean peeks, int notes, int asks) {
    static Part draw(Choices choices) {
      return new Part(
          choices.below(3),
          choices.below(4),
          choices.between(1, 3),
          choices.chance(50),
          choices.below(4),
          choices.below(8));
    }
  }

  private record Mind(int budget, int rounds, int keep, List<Part> parts) {}

  /// All that a run left.
  private record End(
      List<String> said,
      long sum,
      List<Long> hidden,
      List<?> notes,
      List<?> inspections,
      Object last) {}

  @Test
  void sequential_and_parallel_lobes_produce_the_same_state() throws InterruptedException {
    var passedOver = new AtomicInteger();
    var inspected = new AtomicInteger();
    Property.check(
        24,
        CASES,
        choices -> {
          var parts = new ArrayList<Part>();
          parts.add(Part.draw(choices));
          parts.addAll(choices.list(6, Part::draw));
          return new Mind(choices.below(8), choices.between(1, 4), choices.between(1, 9), parts);
        },
        mind -> {
          var alone = run(mind, 1, passedOver);
          assertThat(run(mind, 64, passedOver)).isEqualTo(alone);
          inspected.addAndGet(alone.inspections().size());
        });
    // Else it would have shown nothing.
    assertThat(passedOver.get()).isGreaterThan(CASES / 4);
    assertThat(inspected.get()).isGreaterThan(CASES / 4);
  }

  private static End run(Mind mind, int concurrency, AtomicInteger passedOver)
      throws InterruptedException {
    var lobes =
        Lobes.named("mind", mind.budget())
            .inspectable(HIDDEN)
            .keepNotes(mind.keep())
            .policy(request ->
                (request.round() + request.lobe().hashCode()) % 2 == 0
                    ? Ruling.grant()
                    : Ruling.deny("odd"))
            .then("count");
    for (int i = 0; i < mind.parts().size(); i++) lobes.lobes(lobe("l" + i, mind.parts().get(i)));
    var round = lobes.round();
    var graph =
        lobes
            .addTo(Graph.named("g").channels(SAID, SUM, HIDDEN))
            .edge(START, lobes.entry())
            .node(
                "count",
                (state, _) -> {
                  passedOver.addAndGet(state.get(round).passedOver().size());
                  return Lobe.nothing();
                })
            .route(
                "count",
                state -> state.get(round).number() < mind.rounds() ? lobes.entry() : END,
                lobes.entry(),
                END)
            .compile();
    var options = RunOptions.defaults().concurrency(concurrency);
    var end = ((Outcome.Completed) graph.invoke(Input.none(), options)).state();
    return end(end, lobes);
  }

  private static End end(State end, Lobes lobes) {
    return new End(
        end.get(SAID),
        end.get(SUM),
        end.get(HIDDEN),
        end.get(lobes.notes()),
        end.get(lobes.inspections()),
        end.get(lobes.round()));
  }

  private static Lobe lobe(String name, Part part) {
    return Lobe.named(name, lobe -> think(lobe, name, part))
        .reads(SUM)
        .writes(SAID, SUM, HIDDEN)
        .priority(part.priority())
        .cost(part.cost())
        .when(seen -> seen.get(SUM) % part.every() == 0);
  }

  private static Update think(LobeContext lobe, String name, Part part) {
    Thread.yield();
    for (int i = 0; i < part.notes(); i++) lobe.note(name + " " + i + " of " + lobe.notes().size());
    var peeked = part.peeks() ? lobe.inspect(HIDDEN).toString() : "nothing";
    var asked = part.asks() < 6 ? lobe.inspectNotes("l" + part.asks()).toString() : "nobody";
    return Update.of(SAID, name + " saw " + peeked + " and " + asked)
        .and(SUM, 1L)
        .and(HIDDEN, lobe.get(SUM) * 10 + part.cost());
  }
}
