package dev.superstep.graph;

import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.ChannelShape;
import dev.superstep.topology.Topology.EdgeKind;
import dev.superstep.topology.Topology.EdgeShape;
import dev.superstep.topology.Topology.NodeShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// Topologies that tests share, as they may come from a file.
final class Shapes {
  /// Names that mean something to Mermaid, Graphviz, HTML, Markdown or a terminal.
  static final List<String> ODD =
      List.of(
          "say \"hi\"",
          "back\\slash\\",
          "two\nlines",
          "<b>bold</b> & <script>",
          "a] --> b[\"c",
          "n0\"]\n  click n0 \"https://example.org\"",
          "%%{init: {'theme': 'dark'}}%% x",
          "%% comment",
          "#35; #quot; &quot; &#10;",
          "`**md** _it_ * 1. x`",
          "style x fill:#fff;",
          "end",
          "subgraph",
          "\\N \\G \\l",
          "|pipe| .-> {curly} (round)",
          "\u001b[31mred\u202egnol",
          "",
          " ",
          "日本 😀",
          "\ud800");

  private Shapes() {}

  /// Every kind of edge, node and mark, and a graph inside a graph inside.
  static Topology everything() {
    var kernel =
        new Topology("kernel", List.of(), List.of(node("k")), List.of(direct("k", Topology.END)));
    var inside =
        new Topology(
            "inside",
            List.of(new ChannelShape("part", "last", "String")),
            List.of(node("first"), graph("deep", kernel)),
            List.of(
                direct(Topology.START, "first"),
                direct("first", "deep"),
                direct("deep", Topology.END)));
    var edges = new ArrayList<EdgeShape>();
    edges.add(direct(Topology.START, "split"));
    edges.add(EdgeShape.of(EdgeKind.SENT, "split", "read part"));
    edges.add(join(1, "a"));
    edges.add(join(2, "b"));
    edges.add(join(3, "c"));
    edges.add(new EdgeShape(EdgeKind.ROUTED, List.of("a"), "b", "", 0));
    edges.add(new EdgeShape(EdgeKind.ROUTED, List.of("a"), "c", "GOOD", 0));
    edges.add(new EdgeShape(EdgeKind.ROUTED, List.of("a"), "box", "so \"so\"|\n.-> x", 0));
    edges.add(EdgeShape.of(EdgeKind.COMMANDED, "b", "box"));
    edges.add(EdgeShape.of(EdgeKind.ADDED, "b", "c"));
    edges.add(EdgeShape.of(EdgeKind.FAILED, "c", "b"));
    edges.add(EdgeShape.of(EdgeKind.HANDED_OFF, "box", "a"));
    edges.add(EdgeShape.of(EdgeKind.DIRECT, "box", "box"));
    edges.add(EdgeShape.of(EdgeKind.DIRECT, "box", Topology.END));
    edges.add(new EdgeShape(EdgeKind.TRIGGERED, List.of("token"), "c", "", 0));
    edges.add(new EdgeShape(EdgeKind.TRIGGERED, List.of("token", "other \"one\""), "b", "", 0));
    edges.add(direct("c", "nowhere \"at all\""));
    for (var odd : ODD) edges.add(direct("c", "odd " + odd));
    var nodes = new ArrayList<NodeShape>();
    nodes.add(node("split"));
    nodes.add(new NodeShape("read part", "String", Optional.empty(), false, List.of()));
    nodes.add(node("a"));
    nodes.add(new NodeShape("b", "", Optional.empty(), true, List.of()));
    nodes.add(new NodeShape("c", "", Optional.empty(), false, List.of("text", "notes")));
    nodes.add(graph("box", inside));
    for (var odd : ODD) nodes.add(node("odd " + odd));
    for (var odd : ODD) nodes.add(node(odd));
    return new Topology(
        "every \"thing\" \\N", List.of(new ChannelShape("token", "token", "String")), nodes, edges);
  }

  /// A topology as no builder would make it: names that nothing bears, and the same name twice.
  static Topology random(Random random, int depth) {
    var channels = new ArrayList<ChannelShape>();
    for (int i = random.nextInt(4); i > 0; i--) {
      channels.add(new ChannelShape(name(random), one(random, "last", "sum"), name(random)));
    }
    var nodes = new ArrayList<NodeShape>();
    for (int i = random.nextInt(5); i > 0; i--) {
      Optional<Topology> inside =
          depth > 0 && random.nextInt(3) == 0
              ? Optional.of(random(random, depth - 1))
              : Optional.empty();
      var argument = random.nextBoolean() ? "" : name(random);
      nodes.add(
          new NodeShape(name(random), argument, inside, random.nextBoolean(), names(random, 0)));
    }
    var edges = new ArrayList<EdgeShape>();
    for (int i = random.nextInt(8); i > 0; i--) {
      var kind = EdgeKind.values()[random.nextInt(EdgeKind.values().length)];
      var label = random.nextBoolean() ? "" : name(random);
      edges.add(new EdgeShape(kind, names(random, 1), end(random), label, random.nextInt(3)));
    }
    return new Topology(name(random), channels, nodes, edges);
  }

  /// So many graphs inside of each other.
  static Topology nested(int levels) {
    var topology = new Topology("innermost", List.of(), List.of(node("x")), List.of());
    for (int i = 1; i < levels; i++) {
      topology = new Topology("g", List.of(), List.of(graph("inner", topology)), List.of());
    }
    return topology;
  }

  static NodeShape node(String name) {
    return new NodeShape(name, "", Optional.empty(), false, List.of());
  }

  static NodeShape graph(String name, Topology inside) {
    return new NodeShape(name, "", Optional.of(inside), false, List.of());
  }

  static EdgeShape direct(String from, String to) {
    return EdgeShape.of(EdgeKind.DIRECT, from, to);
  }

  private static EdgeShape join(int needs, String to) {
    return new EdgeShape(
        EdgeKind.JOINED, List.of("split", "read part", Topology.START), to, "", needs);
  }

  private static List<String> names(Random random, int least) {
    var names = new ArrayList<String>();
    for (int i = least + random.nextInt(3); i > 0; i--) names.add(end(random));
    return names;
  }

  private static String end(Random random) {
    return one(random, Topology.START, Topology.END, name(random), name(random));
  }

  private static String name(Random random) {
    if (random.nextBoolean()) return one(random, "a", "b", "c", "d");
    // A surrogate on its own has no bytes, so it is equal to `?` for the hash.
    var odd = ODD.get(random.nextInt(ODD.size() - 1));
    return random.nextBoolean() ? odd : odd + random.nextInt(3);
  }

  private static String one(Random random, String... of) {
    return of[random.nextInt(of.length)];
  }
}
