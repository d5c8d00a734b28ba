package dev.superstep.language.blueprint;

import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;

/// A registered thing that a graph refers to.
///
/// @param kind what it is
/// @param name what it is called
public record CapabilityUse(Capability kind, String name) implements Comparable<CapabilityUse> {
  private static final Comparator<CapabilityUse> ORDER =
      Comparator.comparing(CapabilityUse::kind).thenComparing(CapabilityUse::name);

  /// All that a graph refers to, sorted; types apart, which do nothing.
  public static SortedSet<CapabilityUse> of(Blueprint graph) {
    var uses = new TreeSet<CapabilityUse>();
    add(uses, graph.items());
    add(uses, graph.start());
    add(uses, graph.defaults());
    add(uses, graph.nodeDefaults());
    for (var node : graph.nodes()) add(uses, node.items());
    return uses;
  }

  private static void add(SortedSet<CapabilityUse> uses, Items items) {
    items
        .values()
        .forEach((item, value) -> {
          switch (value) {
            case Value.Text(var text) -> add(uses, item, text);
            case Value.Texts(var texts) -> texts.forEach(text -> add(uses, item, text));
            case Value.Router(var name, _) -> add(uses, item, name);
            case Value.FanOut(var name, _) -> add(uses, item, name);
            case Value.Sends(var sends) -> sends.forEach(send -> add(uses, item, send.mapping()));
            case Value.Prompt(var name, var isTemplate) when isTemplate ->
                uses.add(new CapabilityUse(Capability.TEMPLATES, name));
            default -> {}
          }
        });
  }

  private static void add(SortedSet<CapabilityUse> uses, Item item, String name) {
    item.refersTo().ifPresent(kind -> uses.add(new CapabilityUse(kind, name)));
  }

  @Override
  public int compareTo(CapabilityUse other) {
    return ORDER.compare(this, other);
  }

  /// The kind and the name, as people read it.
  @Override
  public String toString() {
    return kind.noun() + " `" + name + "`";
  }
}
