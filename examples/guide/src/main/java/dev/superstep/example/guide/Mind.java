package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.lobe.InspectionPolicy.Ruling;
import dev.superstep.lobe.Lobe;
import dev.superstep.lobe.LobeContext;
import dev.superstep.lobe.Lobes;
import dev.superstep.lobe.Note;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.util.List;

/// A mind of three lobes that share a budget of 4 a round.
public final class Mind {
  static final Channel<String, String> DRAFT = Channel.latest("draft", String.class);
  static final Channel<String, String> MOOD = Channel.latest("mood", String.class);
  static final Channel<List<String>, String> REMARKS = Channel.append("remarks", String.class);

  static final Lobe WRITER =
      Lobe.named("writer", Mind::write).reads(REMARKS).writes(DRAFT).priority(3).cost(3);

  static final Lobe CRITIC =
      Lobe.named("critic", Mind::criticise)
          .reads(DRAFT, REMARKS)
          .writes(REMARKS)
          .when(seen -> seen.version(DRAFT) > seen.get(REMARKS).size())
          .priority(5)
          .cost(2);

  static final Lobe DREAMER =
      Lobe.named("dreamer", Mind::dream).when(seen -> seen.notes().isEmpty());

  private Mind() {}

  static Update write(LobeContext lobe) {
    lobe.note("heard " + lobe.get(REMARKS).size() + " remarks");
    return Update.of(DRAFT, lobe.get(REMARKS).isEmpty() ? "Ants sing." : "Ants dig.");
  }

  static Update criticise(LobeContext lobe) {
    var why =
        lobe.inspectNotes("writer").value().stream().flatMap(List::stream).map(Note::text).toList();
    return Update.of(REMARKS, "\"" + lobe.get(DRAFT) + "\" by one who " + why);
  }

  static Update dream(LobeContext lobe) {
    lobe.note("the mood: " + lobe.inspect(MOOD));
    return Lobe.nothing();
  }

  static Lobes mind() {
    return Lobes.named("mind", 4)
        .lobes(WRITER, CRITIC, DREAMER)
        .inspectable(MOOD)
        .policy(request ->
            request.lobe().equals("dreamer") ? Ruling.deny("be at peace") : Ruling.grant())
        .then("think");
  }

  public static void main(String[] args) throws InterruptedException {
    var mind = mind();
    var graph =
        mind.addTo(Graph.named("ants").channels(DRAFT, MOOD, REMARKS))
            .edge(START, mind.entry())
            .node(
                "think",
                (state, _) -> {
                  System.out.println(state.get(mind.round()));
                  return Lobe.nothing();
                })
            .route(
                "think",
                state -> state.get(mind.round()).number() < 3 ? mind.entry() : END,
                mind.entry(),
                END)
            .compile();
    var end = ((Outcome.Completed) graph.invoke(Input.of(MOOD, "calm"))).state();
    end.get(mind.notes()).forEach(System.out::println);
    end.get(REMARKS).forEach(System.out::println);
    System.out.println(end.get(DRAFT));
  }
}
