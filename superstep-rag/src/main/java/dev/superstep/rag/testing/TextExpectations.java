package dev.superstep.rag.testing;

import dev.superstep.language.Source;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.BlueprintText;
import dev.superstep.language.blueprint.CapabilityUse;
import dev.superstep.language.check.Blueprints;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.check.Compilation;
import dev.superstep.language.check.Names;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Formatter;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Expectations of a text of graphs, for the tests of whoever writes such texts. What does not hold
/// is an [AssertionError], so that any test library reports it.
///
/// ```java
/// var desk = TextExpectations.of("desk.rag", text);
/// desk.isValid().isStableWhenFormatted();
/// desk.node("ask").isOfKind(NodeKind.INTERRUPT).leadsBy("yes", "settle").leadsTo("settle", "END");
/// assertEquals(Files.readString(golden), desk.blueprints());
/// ```
///
/// Immutable.
public final class TextExpectations {
  private final Compilation compiled;
  private final Names names;

  private TextExpectations(Compilation compiled, Names names) {
    this.compiled = compiled;
    this.names = names;
  }

  /// A text, where everything that it names is taken to be registered.
  public static TextExpectations of(String name, String text) {
    var policy = CheckPolicy.file(name);
    var source = Source.of(name, text);
    var names = used(Blueprints.compile(source, Names.unknown(), policy).blueprints());
    return of(source, names, policy);
  }

  /// A text, checked against what is registered by the rules of a host.
  public static TextExpectations of(Source source, Names names, CheckPolicy policy) {
    return new TextExpectations(Blueprints.compile(source, names, policy), names);
  }

  /// Names of everything that some graphs use, as if all of it were registered.
  public static Names used(List<Blueprint> graphs) {
    var all = new EnumMap<Capability, Set<String>>(Capability.class);
    for (var graph : graphs) {
      for (var use : CapabilityUse.of(graph)) {
        all.computeIfAbsent(use.kind(), _ -> new HashSet<>()).add(use.name());
      }
    }
    return Names.of(Map.copyOf(all));
  }

  /// Expects no errors.
  public TextExpectations isValid() {
    if (compiled.isValid()) return this;
    throw new AssertionError("the text is not valid:\n" + compiled.text());
  }

  /// Expects a finding of a code in a line.
  public TextExpectations hasFinding(String code, int line) {
    boolean isFound =
        compiled.report().shown().stream()
            .filter(each -> each.code().equals(code))
            .anyMatch(each -> compiled.source().position(each.span().start()).line() == line);
    if (isFound) return this;
    throw new AssertionError(
        "there is no %s in line %d, but:\n%s".formatted(code, line, compiled.text()));
  }

  /// Expects that formatting keeps the meaning, that it changes nothing the second time, and that
  /// printed blueprints are read as they were.
  public TextExpectations isStableWhenFormatted() {
    isValid();
    var formatted = Formatter.format(compiled.tree());
    var again = again(formatted);
    same("the formatted text means something else", hashes(compiled), hashes(again));
    same("formatting twice changes the text", formatted, Formatter.format(again.tree()));
    var printed = again(BlueprintText.of(compiled.blueprints()));
    same("the printed text means something else", hashes(compiled), hashes(printed));
    return this;
  }

  private Compilation again(String text) {
    var name = compiled.source().name();
    return Blueprints.compile(Source.of(name, text), names, CheckPolicy.file(name));
  }

  private static List<String> hashes(Compilation compiled) {
    return compiled.blueprints().stream().map(Blueprint::hash).toList();
  }

  private static void same(String message, Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new AssertionError(message + ":\n" + expected + "\n" + found);
    }
  }

  /// The findings as people read them, to be compared with a stored text.
  public String findings() {
    return compiled.text();
  }

  /// The graphs in the one layout that printing has, each with its hash, to be compared with a
  /// stored text: it changes exactly when the meaning does.
  public String blueprints() {
    var out = new StringBuilder();
    for (var graph : compiled.blueprints()) {
      out.append(BlueprintText.of(graph)).append("// ").append(graph.hash()).append('\n');
    }
    return out.toString();
  }

  /// A node of the only graph that no other graph of the text uses.
  public NodeExpectations node(String name) {
    var outermost = compiled.outermost();
    if (outermost.size() == 1) return node(outermost.getFirst(), name);
    throw new AssertionError(
        "name the graph of node `%s`: there are %s"
            .formatted(name, outermost.stream().map(Blueprint::graph).toList()));
  }

  /// A node of a graph.
  public NodeExpectations node(String graph, String name) {
    Optional<Blueprint> found = compiled.blueprint(graph);
    if (found.isPresent()) return node(found.get(), name);
    throw new AssertionError("there is no graph `" + graph + "`");
  }

  private static NodeExpectations node(Blueprint graph, String name) {
    return graph
        .node(name)
        .map(node -> new NodeExpectations(graph, node))
        .orElseThrow(() ->
            new AssertionError(
                "graph `%s` has no node `%s`, but %s"
                    .formatted(
                        graph.graph(), name, graph.nodes().stream().map(n -> n.name()).toList())));
  }
}
