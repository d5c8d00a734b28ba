package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.ChannelShape;
import dev.superstep.topology.Topology.EdgeKind;
import dev.superstep.topology.Topology.EdgeShape;
import dev.superstep.topology.Topology.NodeShape;
import dev.superstep.topology.TopologyDiff;
import dev.superstep.topology.TopologyDiff.Change;
import dev.superstep.topology.TopologyDiff.Detail;
import dev.superstep.topology.TopologyDiff.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T104")
class TopologyDiffTest {
  static Topology before() {
    var inner =
        new Topology(
            "check",
            List.of(new ChannelShape("part", "last", "String")),
            List.of(Shapes.node("look"), Shapes.node("mark")),
            List.of(Shapes.direct(Topology.START, "look"), Shapes.direct("look", "mark")));
    return new Topology(
        "desk",
        List.of(
            new ChannelShape("notes", "append", "list<String>"),
            new ChannelShape("score", "sum", "Long"),
            new ChannelShape("mood", "last", "Mood")),
        List.of(
            Shapes.node("read"),
            Shapes.node("sort"),
            Shapes.graph("review", inner),
            Shapes.node("reply"),
            new NodeShape("file", "Letter", Optional.empty(), true, List.of("notes"))),
        List.of(
            Shapes.direct(Topology.START, "read"),
            new EdgeShape(EdgeKind.JOINED, List.of("read", "sort"), "review", "", 2),
            new EdgeShape(EdgeKind.ROUTED, List.of("review"), "reply", "GOOD", 0),
            Shapes.direct("reply", "file"),
            Shapes.direct("file", Topology.END)));
  }

  static Topology after() {
    var inner =
        new Topology(
            "check twice",
            List.of(new ChannelShape("part", "last", "Part")),
            List.of(
                new NodeShape("look", "", Optional.empty(), true, List.of()), Shapes.node("tick")),
            List.of(Shapes.direct(Topology.START, "look"), Shapes.direct("look", "tick")));
    return new Topology(
        "desk",
        List.of(
            new ChannelShape("score", "max", "Double"),
            new ChannelShape("notes", "append", "list<String>"),
            new ChannelShape("tone\n", "last", "Mood")),
        List.of(
            Shapes.node("read"),
            Shapes.graph("sort", inner),
            Shapes.graph("review", inner),
            new NodeShape("reply", "Letter", Optional.empty(), true, List.of("notes", "score")),
            new NodeShape("store", "Letter", Optional.empty(), true, List.of("notes"))),
        List.of(
            Shapes.direct(Topology.START, "read"),
            new EdgeShape(EdgeKind.JOINED, List.of("read", "sort"), "review", "", 1),
            new EdgeShape(EdgeKind.ROUTED, List.of("review"), "reply", "POOR", 0),
            EdgeShape.of(EdgeKind.FAILED, "reply", "store"),
            Shapes.direct("store", Topology.END)));
  }

  @Test
  void a_diff_is_readable() throws Exception {
    GoldenText.check("topology-diff.txt", TopologyDiff.between(before(), after()).text());
  }

  @Test
  void a_diff_is_data() {
    var changes = TopologyDiff.between(before(), after()).changes();
    assertThat(changes)
        .contains(
            new Change.Added(List.of(), Part.CHANNEL, "tone\n", "last of Mood"),
            new Change.Removed(List.of(), Part.EDGE, "reply -> file", "direct"),
            new Change.Altered(
                List.of("review"), Part.NODE, "look", List.of(new Detail("deferred", "no", "yes"))),
            new Change.Altered(
                List.of(),
                Part.EDGE,
                "read + sort -> review",
                List.of(new Detail("needs", "2", "1"))));
  }

  @Test
  void the_reverse_diff_lists_additions_as_removals() {
    var there = TopologyDiff.between(before(), after()).changes();
    var back = TopologyDiff.between(after(), before()).changes();
    assertThat(there.stream().filter(Change.Added.class::isInstance))
        .hasSameSizeAs(back.stream().filter(Change.Removed.class::isInstance).toList());
    assertThat(there.stream().filter(Change.Altered.class::isInstance))
        .hasSameSizeAs(back.stream().filter(Change.Altered.class::isInstance).toList());
  }

  @Test
  void a_diff_of_compiled_graphs_names_the_changes_in_the_builder() {
    var before = TopologyTest.all().compile().topology();
    var after = TopologyTest.all().edge("merge", Graph.END).compile().topology();
    assertThat(TopologyDiff.between(before, after).text())
        .isEqualTo("+ edge merge -> END: direct\n");
    assertThat(TopologyDiff.between(before, TopologyTest.all().compile().topology()).text())
        .isEmpty();
  }

  @Test
  void another_order_is_a_difference_since_the_hash_changes_with_it() {
    var before = before();
    for (int list = 0; list < 3; list++) {
      var channels = new ArrayList<>(before.channels());
      var nodes = new ArrayList<>(before.nodes());
      var edges = new ArrayList<>(before.edges());
      Collections.swap(List.of(channels, nodes, edges).get(list), 0, 1);
      var diff = TopologyDiff.between(before, new Topology(before.graph(), channels, nodes, edges));
      assertThat(diff.changes()).hasSize(1);
      assertThat(diff.text())
          .startsWith(
              "~ graph desk: order of " + List.of("channels", "nodes", "edges").get(list) + " ");
    }
  }

  @Test
  void a_diff_is_empty_exactly_if_the_topologies_are_equal() {
    var random = new Random(41);
    int equal = 0;
    for (int i = 0; i < 2_000; i++) {
      var before = Shapes.random(random, 1);
      var after = mutated(before, random);
      boolean same = before.equals(after);
      if (same) equal++;
      var diff = TopologyDiff.between(before, after);
      assertThat(diff.isEmpty()).as(diff.text()).isEqualTo(same);
      assertThat(before.hash().equals(after.hash())).isEqualTo(same);
      assertThat(diff.text().lines()).hasSize(diff.changes().size());
      assertThat(TopologyDiff.between(after, before).isEmpty()).isEqualTo(same);
    }
    assertThat(equal).isBetween(50, 1_950);
  }

  /// The same with its lists in another order, with something left out, or as it is.
  private static Topology mutated(Topology topology, Random random) {
    var channels = new ArrayList<>(topology.channels());
    var nodes = new ArrayList<>(topology.nodes());
    var edges = new ArrayList<>(topology.edges());
    var list = List.of(channels, nodes, edges).get(random.nextInt(3));
    switch (random.nextInt(4)) {
      case 0 -> Collections.shuffle(list, random);
      case 1 -> {
        if (!list.isEmpty()) list.remove(random.nextInt(list.size()));
      }
      case 2 -> {
        return Shapes.random(random, 1);
      }
      default -> {}
    }
    return new Topology(topology.graph(), channels, nodes, edges);
  }
}
