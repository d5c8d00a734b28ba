package dev.superstep.rag;

import dev.superstep.graph.Graph;
import dev.superstep.language.Source;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.BlueprintText;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.rag.internal.print.GraphPrinting;
import dev.superstep.registry.Component;
import dev.superstep.registry.Registry;
import java.util.ArrayList;
import java.util.List;

/// Writes graphs that were made in Java as text. What a graph is made of is written by the name
/// under which it is registered; what is not registered is left out and listed.
///
/// ```java
/// var printed = RagPrinter.print(graph, registry);
/// if (printed.isSame()) Files.writeString(file, printed.text());
/// else printed.nameless().forEach(System.err::println);
/// ```
public final class RagPrinter {
  private RagPrinter() {}

  /// A graph as text.
  ///
  /// @param nameless what could not be written, and why
  /// @param isSame whether the text makes a graph of the same shape, with an equal
  ///   [hash][dev.superstep.topology.Topology#hash]
  public record Printed(String text, List<String> nameless, boolean isSame) {
    public Printed {
      nameless = List.copyOf(nameless);
    }
  }

  /// Writes a graph, and the graphs inside it that are not registered themselves.
  public static Printed print(Graph graph, Registry registry) {
    var nameless = new ArrayList<String>();
    var printing = new GraphPrinting(registry, nameless);
    printing.add(graph);
    var text = BlueprintText.of(printing.blueprints());
    boolean isSame = nameless.isEmpty() && isSame(graph, text, registry, nameless);
    return new Printed(text, nameless, isSame);
  }

  /// The graph as data; what has no name is added to the list.
  static List<Blueprint> blueprints(Graph graph, Registry registry, List<String> nameless) {
    var printing = new GraphPrinting(registry, nameless);
    printing.add(graph);
    return printing.blueprints();
  }

  private static boolean isSame(
      Graph graph, String text, Registry registry, List<String> nameless) {
    var source = Source.of(graph.name() + ".rag", text);
    var program = Rag.compile(source, registry, CheckPolicy.file(source.name()));
    var bound = program.graph(graph.name());
    if (bound.isEmpty()) {
      nameless.add("the text is not valid:\n" + program.text());
      return false;
    }
    var hash = bound.get().graph().topology().hash();
    if (hash.equals(graph.topology().hash())) return true;
    nameless.add(
        "the edges are declared in another order, so that stored threads see another graph");
    return false;
  }

  /// Registers the nodes and routers of a graph that have no name yet, under `graph/node`, so that
  /// the graph can be printed. The text runs in programs that do the same.
  ///
  /// @param namespace the first part of the names, in snake case
  public static void name(Graph graph, Registry registry, String namespace) {
    for (var component : GraphPrinting.components(graph, registry, namespace)) {
      register(registry, component);
    }
  }

  private static void register(Registry registry, Component<?> component) {
    if (registry.snapshot().components().stream().noneMatch(c -> c.id().equals(component.id()))) {
      registry.register(component);
    }
  }
}
