package dev.superstep.journal;

import dev.superstep.checkpoint.Entry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Compares the events of two runs of a graph, to see whether a replay did the same. Times, offsets
/// and the sequence of events do not count; ids count by where they come from, such as the
/// superstep and the node of a task; and the events of tasks of one superstep may be interleaved in
/// any order. Immutable.
///
/// ```java
/// JournalDiff.usual().ignoring("origin.labels").first(before.settled(), after.settled());
/// ```
public final class JournalDiff {
  private static final JournalDiff USUAL =
      new JournalDiff(Set.of("origin.at", "origin.sequence", "took", "delay"), Set.of());

  private final Set<String> parts;
  private final Set<String> kinds;

  private JournalDiff(Set<String> parts, Set<String> kinds) {
    this.parts = Set.copyOf(parts);
    this.kinds = Set.copyOf(kinds);
  }

  /// Everything counts but times and places in the journal.
  public static JournalDiff usual() {
    return USUAL;
  }

  /// Returns a copy that also ignores these parts of events.
  ///
  /// @param paths names in the JSON of events, joined by dots, such as `payload` or `piece.text`;
  ///   with all that is inside
  public JournalDiff ignoring(String... paths) {
    return new JournalDiff(with(parts, paths), kinds);
  }

  /// Returns a copy that also ignores events of these kinds, such as `text.arrived`.
  public JournalDiff ignoringKinds(String... names) {
    return new JournalDiff(parts, with(kinds, names));
  }

  private static Set<String> with(Set<String> known, String... more) {
    var all = new HashSet<>(known);
    all.addAll(List.of(more));
    return all;
  }

  /// Where two journals part.
  ///
  /// @param expected the event of the first journal, or empty if that has ended
  /// @param actual the event of the other journal instead, or empty if that has ended
  /// @param differences the parts of the two events that differ; none if one is missing
  public record Divergence(
      Optional<Entry> expected, Optional<Entry> actual, List<Difference> differences) {
    public Divergence {
      differences = List.copyOf(differences);
    }
  }

  /// A part of two events that differs.
  ///
  /// @param part names in the JSON of the event, joined by dots
  /// @param expected as JSON; ids by where they come from; empty if it is not there
  /// @param actual the same of the other one
  public record Difference(String part, String expected, String actual) {}

  /// Returns the first place where they differ, or empty if they are the same. Loads both into
  /// memory.
  public Optional<Divergence> first(Iterable<Entry> expected, Iterable<Entry> actual) {
    var ones = TellingOrder.of(read(expected));
    var others = TellingOrder.of(read(actual));
    for (int i = 0; i < Math.max(ones.size(), others.size()); i++) {
      var one = i < ones.size() ? ones.get(i) : null;
      var other = i < others.size() ? others.get(i) : null;
      var differences = one == null || other == null ? List.<Difference>of() : between(one, other);
      if (one == null || other == null || !differences.isEmpty()) {
        return Optional.of(new Divergence(entry(one), entry(other), differences));
      }
    }
    return Optional.empty();
  }

  private static Optional<Entry> entry(@Nullable PlainEvent event) {
    return Optional.ofNullable(event).map(PlainEvent::entry);
  }

  private List<PlainEvent> read(Iterable<Entry> journal) {
    var names = new IdNames();
    var events = new ArrayList<PlainEvent>();
    for (var entry : journal) {
      // Named even if it is left out, since others may speak of the same task.
      var event = names.plain(entry);
      if (!kinds.contains(entry.kind())) events.add(event);
    }
    return events;
  }

  private List<Difference> between(PlainEvent one, PlainEvent other) {
    var all = new TreeSet<>(one.parts().keySet());
    all.addAll(other.parts().keySet());
    var differences = new ArrayList<Difference>();
    for (var part : all) {
      var expected = one.parts().getOrDefault(part, "");
      var actual = other.parts().getOrDefault(part, "");
      if (!isIgnored(part) && !expected.equals(actual)) {
        differences.add(new Difference(part, expected, actual));
      }
    }
    return differences;
  }

  private boolean isIgnored(String part) {
    if (parts.contains(part)) return true;
    for (int dot = part.indexOf('.'); dot >= 0; dot = part.indexOf('.', dot + 1)) {
      if (parts.contains(part.substring(0, dot))) return true;
    }
    return false;
  }

  /// An event without its form.
  ///
  /// @param parts each scalar of its JSON by its path; ids by where they come from
  record PlainEvent(Entry entry, TreeMap<String, String> parts) {
    String part(String path) {
      return parts.getOrDefault(path, "");
    }
  }

  @Override
  public String toString() {
    return "JournalDiff[parts " + parts + ", kinds " + kinds + "]";
  }
}
