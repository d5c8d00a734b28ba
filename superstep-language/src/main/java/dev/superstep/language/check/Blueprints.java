package dev.superstep.language.check;

import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.BlueprintText;
import dev.superstep.language.rag.RagCode;
import dev.superstep.language.rag.SyntaxTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Makes blueprints of sources, and finds all that is wrong with them at once. Nothing here throws
/// for any source.
///
/// ```java
/// var source = Source.of("desk.rag", text);
/// var compiled = Blueprints.compile(source, names, CheckPolicy.file("desk.rag"));
/// if (compiled.isValid()) run(compiled.blueprints());
/// else print(compiled.text());
/// ```
public final class Blueprints {
  private Blueprints() {}

  /// Reads, resolves and checks a source.
  public static Compilation compile(Source source, Names names, CheckPolicy policy) {
    var diagnostics = new Diagnostics();
    var tree = SyntaxTree.parse(source, policy.limits(), diagnostics);
    boolean isBroken = diagnostics.hasErrors();
    var lowered = new Lowering(tree, diagnostics).graphs();
    var graphs = new ArrayList<Checked>();
    var blueprints = new ArrayList<Blueprint>();
    var places = new LinkedHashMap<String, Places>();
    // One that says of which text it is was stored with it: this text may be another form of that.
    var given = policy.provenance();
    var from = given.content().isPresent() ? given : given.ofText(source.text());
    for (var one : lowered) {
      graphs.add(new Checked(one, policy, source, diagnostics, isBroken));
      places.put(one.blueprint().graph(), one.places());
      var spans = one.places().outline();
      blueprints.add(one.blueprint().withProvenance(from.withSpans(spans)));
    }
    var unreached = check(source, graphs, places.keySet(), names, diagnostics);
    if (!diagnostics.hasErrors()) review(blueprints, places, policy, diagnostics);
    return new Compilation(tree, blueprints, places, unreached, diagnostics.report());
  }

  /// Checks a blueprint that was not made from a source here: as the text that it is written as.
  public static Compilation check(Blueprint blueprint, Names names, CheckPolicy policy) {
    return compile(Source.of(blueprint.graph(), BlueprintText.of(blueprint)), names, policy);
  }

  /// Returns the nodes of each graph that nothing leads to.
  private static Map<String, Set<String>> check(
      Source source, List<Checked> graphs, Set<String> all, Names names, Diagnostics diagnostics) {
    int unresolved = 0;
    var unreached = new HashMap<String, Set<String>>();
    for (var graph : graphs) {
      new KindCheck(graph).check();
      new ChannelCheck(graph).check();
      new TargetCheck(graph).check();
      new RoutingCheck(graph).check();
      unreached.put(graph.blueprint.graph(), new PathCheck(graph).check());
      new PolicyCheck(graph).check();
      unresolved += new ReferenceCheck(graph, names, all).check();
    }
    new GraphCycleCheck(GraphCycleCheck.byName(graphs)).check();
    if (graphs.isEmpty() && !diagnostics.hasErrors()) {
      int end = source.length();
      diagnostics.add(
          RagCode.MISSING_START
              .at(new Span(end, end), "the source has no graph")
              .help("begin with `graph name { ... }`"));
    }
    if (unresolved > 0) {
      diagnostics.add(
          RagCode.NAMES_UNRESOLVED
              .at(
                  graphs.getFirst().places().find("graph"),
                  unresolved
                      + (unresolved == 1 ? " name was" : " names were")
                      + " checked for their form only")
              .help("nothing says here what is registered"));
    }
    return unreached;
  }

  private static void review(
      List<Blueprint> blueprints,
      Map<String, Places> places,
      CheckPolicy policy,
      Diagnostics diagnostics) {
    if (!policy.isGenerated() || !policy.needsReview()) return;
    for (var blueprint : blueprints) {
      if (policy.approved().contains(blueprint.hash())) continue;
      var at = places.getOrDefault(blueprint.graph(), new Places()).find("graph");
      diagnostics.add(
          RagCode.REVIEW_REQUIRED
              .at(at, "nobody has reviewed graph `" + blueprint.graph() + "`")
              .help("somebody must approve exactly " + blueprint.hash()));
    }
  }
}
