package dev.superstep.build;

import dev.superstep.build.Api.Member;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The differences between two versions of an API.
final class ApiChanges {
  /// A type or a member that differs.
  ///
  /// @param before the old type or member, or empty if it was added
  /// @param after the new one, or empty if it was removed
  record Change(Kind kind, String type, String before, String after) {}

  /// The kinds of differences, in the order of the tables.
  enum Kind {
    MOVED,
    RENAMED,
    CHANGED,
    ADDED,
    HIDDEN,
    REMOVED
  }

  private final Api before;
  private final Api after;
  private final Map<String, String> renamed;
  private final Map<String, String> names;
  private final List<Change> types = new ArrayList<>();
  private final List<Change> members = new ArrayList<>();

  /// @param renamed new names of types, by old ones, where the two share no simple name; and of
  ///   members, as the old type, `#` and the old name, where several have the same parameters
  ApiChanges(Api before, Api after, Map<String, String> renamed) {
    this.before = before;
    this.after = after;
    this.renamed = Map.copyOf(renamed);
    this.names = names();
    for (var type : sorted(before)) {
      if (type.isVisible()) compare(type);
    }
    var old = new HashSet<String>();
    names.forEach((from, to) -> {
      if (visible(before, from).isPresent()) old.add(to);
    });
    for (var type : sorted(after)) {
      if (type.isVisible() && !old.contains(type.name())) {
        if (!type.isTop() && !old.contains(around(type.name()))) continue;
        types.add(new Change(Kind.ADDED, type.name(), "", type.name()));
      }
    }
  }

  /// Types that moved, were renamed, added, hidden or removed.
  List<Change> types() {
    return List.copyOf(types);
  }

  /// The visible types that are new, those inside others included.
  List<Api.Type> added() {
    return sorted(after).stream()
        .filter(type -> type.isVisible() && !names.containsValue(type.name()))
        .toList();
  }

  /// Members that were renamed, changed, added or removed in types that a user sees before and
  /// after.
  List<Change> members() {
    return List.copyOf(members);
  }

  /// Members that were removed, hidden or changed by the old type and key.
  private void compare(Api.Type old) {
    var name = names.get(old.name());
    if (follows(old.name(), name)) {
      var same = visible(after, String.valueOf(name));
      same.ifPresent(now -> compareMembers(old, now));
      return;
    }
    if (name == null) {
      types.add(new Change(Kind.REMOVED, old.name(), old.name(), ""));
      return;
    }
    var now = after.types().get(name);
    if (now == null || !now.isVisible()) {
      types.add(new Change(Kind.HIDDEN, old.name(), old.name(), name));
      return;
    }
    if (!simple(name).equals(simple(old.name()))) {
      types.add(new Change(Kind.RENAMED, old.name(), old.name(), name));
    } else if (!name.equals(old.name())) {
      types.add(new Change(Kind.MOVED, old.name(), old.name(), name));
    }
    compareMembers(old, now);
  }

  /// Whether what became of a nested type is what became of the type around it.
  private boolean follows(String name, @Nullable String now) {
    if (name.indexOf('$') < 0) return false;
    var around = names.get(around(name));
    if (now == null || around == null) return now == null && around == null;
    if (!now.equals(around + name.substring(name.lastIndexOf('$')))) return false;
    return visible(after, now).isPresent() == visible(after, around).isPresent();
  }

  private static String around(String nested) {
    return nested.substring(0, nested.lastIndexOf('$'));
  }

  private void compareMembers(Api.Type old, Api.Type now) {
    var all = byKey(after.inherited(now.name()), Function.identity());
    var earlier = byKey(before.inherited(old.name()), this::translated);
    var gone = new TreeMap<String, Member>();
    for (var member : old.members()) {
      var same = translated(member);
      var found = all.get(same.key());
      if (found == null) {
        gone.put(same.key(), same);
      } else if (!found.result().equals(same.result()) && now.members().contains(found)) {
        add(Kind.CHANGED, now, same, found);
      }
    }
    var come = new TreeMap<String, Member>();
    for (var member : now.members()) {
      if (!earlier.containsKey(member.key())) come.put(member.key(), member);
    }
    for (var member : List.copyOf(gone.values())) {
      var other = come.get(named(member, old).key());
      if (other == null) continue;
      gone.remove(member.key());
      come.remove(other.key());
      add(Kind.RENAMED, now, member, other);
    }
    pair(Kind.RENAMED, now, gone, come, member -> member.parameters() + " " + member.result());
    pair(Kind.CHANGED, now, gone, come, Member::name);
    gone.values().forEach(member -> add(Kind.REMOVED, now, member, null));
    come.values().forEach(member -> add(Kind.ADDED, now, null, member));
  }

  private Member named(Member member, Api.Type old) {
    var name = renamed.getOrDefault(old.name() + "#" + member.name(), member.name());
    return new Member(name, member.parameters(), member.result(), member.isField());
  }

  /// Takes members out that are the only ones on both sides that agree in something.
  private void pair(
      Kind kind,
      Api.Type now,
      Map<String, Member> gone,
      Map<String, Member> come,
      Function<Member, String> trait) {
    var left = single(gone, trait);
    var right = single(come, trait);
    left.forEach((key, member) -> {
      var other = right.get(key);
      if (other == null || member.isField() != other.isField()) return;
      gone.remove(member.key());
      come.remove(other.key());
      add(kind, now, member, other);
    });
  }

  private static Map<String, Member> single(
      Map<String, Member> members, Function<Member, String> trait) {
    return members.values().stream()
        .collect(Collectors.groupingBy(trait, TreeMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .filter(entry -> entry.getValue().size() == 1)
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().getFirst()));
  }

  private void add(Kind kind, Api.Type now, @Nullable Member old, @Nullable Member member) {
    members.add(
        new Change(
            kind, now.name(), old == null ? "" : text(old), member == null ? "" : text(member)));
  }

  private static String text(Member member) {
    return member.key() + ": " + member.result();
  }

  private static Map<String, Member> byKey(
      Stream<Member> members, Function<Member, Member> translation) {
    return members
        .map(translation)
        .collect(Collectors.toMap(Member::key, Function.identity(), (first, _) -> first));
  }

  /// A member as it would be if only the types had new names.
  private Member translated(Member member) {
    return new Member(
        member.name(),
        member.parameters().stream().map(this::translated).toList(),
        translated(member.result()),
        member.isField());
  }

  private String translated(String type) {
    if (type.endsWith("[]")) return translated(type.substring(0, type.length() - 2)) + "[]";
    return names.getOrDefault(type, type);
  }

  /// Old types to new ones: the same name, the name that was given, the name of the type around it,
  /// or the only type of that simple name.
  private Map<String, String> names() {
    var bySimple = new HashMap<String, Set<String>>();
    for (var name : after.types().keySet()) {
      if (!before.types().containsKey(name)) {
        bySimple.computeIfAbsent(simple(name), _ -> new HashSet<>()).add(name);
      }
    }
    var found = new HashMap<String, String>();
    for (var name : before.types().keySet().stream().sorted().toList()) {
      name(name, bySimple, found).ifPresent(now -> found.put(name, now));
    }
    return found;
  }

  private Optional<String> name(
      String name, Map<String, Set<String>> bySimple, Map<String, String> found) {
    var given = renamed.get(name);
    if (given != null) return Optional.of(given);
    if (after.types().containsKey(name)) return Optional.of(name);
    int nested = name.lastIndexOf('$');
    if (nested > 0) {
      var around = found.get(name.substring(0, nested));
      var inner = around + name.substring(nested);
      if (around != null && after.types().containsKey(inner)) return Optional.of(inner);
    }
    var others = bySimple.getOrDefault(simple(name), Set.of());
    return others.size() == 1 ? Optional.of(others.iterator().next()) : Optional.empty();
  }

  private static List<Api.Type> sorted(Api api) {
    return api.types().values().stream().sorted(Comparator.comparing(Api.Type::name)).toList();
  }

  private static Optional<Api.Type> visible(Api api, String name) {
    return Optional.ofNullable(api.types().get(name)).filter(Api.Type::isVisible);
  }

  /// The name without its package.
  static String simple(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
