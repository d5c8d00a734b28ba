package dev.superstep.language.blueprint;

import dev.superstep.language.json.JsonTree;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/// The difference of two graphs, for somebody who has to approve the new one: first what it may do
/// that the old one could not. Always the same for the same two; provenance does not count.
/// Immutable.
///
/// @param added what only the new one refers to
/// @param removed what only the old one refers to
/// @param widened the lists of `allow` and the limits that let more through, as text
/// @param narrowed the lists of `allow` and the limits that let less through, as text
/// @param changes all differences
public record BlueprintDiff(
    List<CapabilityUse> added,
    List<CapabilityUse> removed,
    List<String> widened,
    List<String> narrowed,
    List<Change> changes) {
  public BlueprintDiff {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
    widened = List.copyOf(widened);
    narrowed = List.copyOf(narrowed);
    changes = List.copyOf(changes);
  }

  /// A difference in one place.
  ///
  /// @param place such as `node ask`, `channel findings` or `edge`
  /// @param item the keyword; empty if the whole of it was added or removed
  /// @param before the text in the old one; empty if there was none
  /// @param after the text in the new one; empty if there is none
  public record Change(String place, String item, Optional<String> before, Optional<String> after) {
    /// The word for what happened.
    public String verb() {
      if (before.isEmpty()) return "added";
      return after.isEmpty() ? "removed" : "changed";
    }
  }

  /// Compares two graphs.
  public static BlueprintDiff of(Blueprint old, Blueprint now) {
    var before = CapabilityUse.of(old);
    var after = CapabilityUse.of(now);
    var added = new TreeSet<>(after);
    added.removeAll(before);
    var removed = new TreeSet<>(before);
    removed.removeAll(after);
    return new BlueprintDiff(
        List.copyOf(added),
        List.copyOf(removed),
        wider(old, now),
        wider(now, old),
        new Changes().of(old, now));
  }

  public boolean isEmpty() {
    return changes.isEmpty();
  }

  /// Returns whether the new graph may do something that the old one could not.
  public boolean isWider() {
    return !added.isEmpty() || !widened.isEmpty();
  }

  /// Compares two graphs without showing the texts of their prompts: of each its length and a part
  /// of its hash, so that a change can be seen.
  public static BlueprintDiff redacted(Blueprint old, Blueprint now) {
    return of(old.withoutPrompts(), now.withoutPrompts());
  }

  /// The changes that let more through in the second graph than in the first.
  private static List<String> wider(Blueprint from, Blueprint to) {
    var wider = new ArrayList<String>();
    for (var kind : Capability.values()) {
      var less = from.allow().get(kind);
      var more = to.allow().get(kind);
      if (less == null || Objects.equals(less, more)) continue;
      if (more == null) wider.add("allow " + kind.word() + ": every name");
      else {
        var only = new TreeSet<>(more);
        less.forEach(only::remove);
        only.forEach(name -> wider.add("allow " + kind.word() + ": `" + name + "`"));
      }
    }
    limits(from.items(), to.items(), "limits", wider);
    for (var node : to.nodes()) {
      var other = from.node(node.name());
      if (other.isEmpty()) continue;
      limits(other.get().items(), node.items(), "limits of node " + node.name(), wider);
    }
    return wider;
  }

  private static void limits(Items from, Items to, String where, List<String> wider) {
    var more = to.fields(Item.LIMITS);
    from.fields(Item.LIMITS)
        .forEach((key, limit) -> {
          var other = more.get(key);
          if (other == null) wider.add(where + ": no " + key);
          else if (number(other).compareTo(number(limit)) > 0) {
            wider.add(where + ": " + key + " " + Written.literal(other));
          }
        });
  }

  private static BigDecimal number(Literal literal) {
    return literal instanceof Literal.Decimal(var value) ? value : BigDecimal.ZERO;
  }

  /// Collects what differs, in a fixed order.
  private static final class Changes {
    private final List<Change> changes = new ArrayList<>();

    List<Change> of(Blueprint old, Blueprint now) {
      compare("graph", "name", Optional.of(old.graph()), Optional.of(now.graph()));
      items("graph", old.items(), now.items());
      for (var kind : Capability.values()) {
        compare(
            "graph",
            "allow " + kind.word(),
            Optional.ofNullable(old.allow().get(kind)).map(Written::strings),
            Optional.ofNullable(now.allow().get(kind)).map(Written::strings));
      }
      channels(old, now);
      nodes(old, now);
      edges(old.edges(), now.edges());
      return changes;
    }

    private void compare(
        String place, String item, Optional<String> before, Optional<String> after) {
      if (!before.equals(after)) changes.add(new Change(place, item, before, after));
    }

    private void items(String place, Items old, Items now) {
      for (var item : Item.values()) {
        var before = old.find(item).map(value -> BlueprintText.item(item, value));
        var after = now.find(item).map(value -> BlueprintText.item(item, value));
        compare(place, item.word(), before, after);
      }
    }

    private void channels(Blueprint old, Blueprint now) {
      for (var channel : old.channels()) {
        compare(
            "channel " + channel.name(),
            "",
            Optional.of(BlueprintText.channel(channel)),
            now.channel(channel.name()).map(BlueprintText::channel));
      }
      for (var channel : now.channels()) {
        if (old.channel(channel.name()).isPresent()) continue;
        compare(
            "channel " + channel.name(),
            "",
            Optional.empty(),
            Optional.of(BlueprintText.channel(channel)));
      }
    }

    private void nodes(Blueprint old, Blueprint now) {
      for (var node : old.nodes()) {
        var place = "node " + node.name();
        var other = now.node(node.name());
        if (other.isPresent()) items(place, node.items(), other.get().items());
        else compare(place, "", Optional.of(BlueprintText.node(node)), Optional.empty());
      }
      for (var node : now.nodes()) {
        if (old.node(node.name()).isPresent()) continue;
        var text = Optional.of(BlueprintText.node(node));
        compare("node " + node.name(), "", Optional.empty(), text);
      }
    }

    private void edges(List<Edge> old, List<Edge> now) {
      for (var edge : old) {
        if (now.contains(edge)) continue;
        compare("edge", "", Optional.of(BlueprintText.edge(edge)), Optional.empty());
      }
      for (var edge : now) {
        if (old.contains(edge)) continue;
        compare("edge", "", Optional.empty(), Optional.of(BlueprintText.edge(edge)));
      }
    }
  }

  /// The difference for people: a line for each, `+` for what is new and `-` for what is gone.
  public String text() {
    if (isEmpty()) return "no difference\n";
    var out = new StringBuilder();
    section(out, "may do more:", '+', lines(added), widened);
    section(out, "may do less:", '-', lines(removed), narrowed);
    for (var change : changes) {
      out.append(change.place());
      if (!change.item().isEmpty()) out.append(": ").append(change.item());
      out.append(' ').append(change.verb()).append('\n');
      change.before().ifPresent(text -> indented(out, '-', text));
      change.after().ifPresent(text -> indented(out, '+', text));
    }
    return out.toString();
  }

  private static List<String> lines(List<CapabilityUse> uses) {
    return uses.stream().map(CapabilityUse::toString).toList();
  }

  private static void section(
      StringBuilder out, String title, char sign, List<String> uses, List<String> more) {
    if (uses.isEmpty() && more.isEmpty()) return;
    out.append(title).append('\n');
    uses.forEach(line -> indented(out, sign, line));
    more.forEach(line -> indented(out, sign, line));
  }

  private static void indented(StringBuilder out, char sign, String text) {
    text.lines()
        .forEach(line -> out.append("  ").append(sign).append(' ').append(line).append('\n'));
  }

  /// The difference for programs.
  public String json() {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("empty", JsonTree.of(isEmpty()));
    fields.put("wider", JsonTree.of(isWider()));
    fields.put("added", uses(added));
    fields.put("removed", uses(removed));
    fields.put("widened", JsonTree.texts(widened));
    fields.put("narrowed", JsonTree.texts(narrowed));
    fields.put("changes", JsonTree.list(changes.stream().map(BlueprintDiff::tree).toList()));
    return JsonTree.object(fields).pretty();
  }

  private static JsonTree uses(List<CapabilityUse> uses) {
    var all = new ArrayList<JsonTree>();
    for (var use : uses) {
      var fields = new LinkedHashMap<String, JsonTree>();
      fields.put("kind", JsonTree.of(use.kind().word()));
      fields.put("name", JsonTree.of(use.name()));
      all.add(JsonTree.object(fields));
    }
    return JsonTree.list(all);
  }

  private static JsonTree tree(Change change) {
    Map<String, JsonTree> fields = new LinkedHashMap<>();
    fields.put("place", JsonTree.of(change.place()));
    fields.put("item", JsonTree.of(change.item()));
    fields.put("change", JsonTree.of(change.verb()));
    change.before().ifPresent(text -> fields.put("before", JsonTree.of(text)));
    change.after().ifPresent(text -> fields.put("after", JsonTree.of(text)));
    return JsonTree.object(fields);
  }
}
