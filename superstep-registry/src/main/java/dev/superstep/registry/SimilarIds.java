package dev.superstep.registry;

import dev.superstep.name.NameSuggestion;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/// Finds the id that somebody probably meant.
final class SimilarIds {
  private static final int OTHER_PART = 1;

  private SimilarIds() {}

  private record Near(ComponentId id, int distance) {}

  /// Returns the id with the most similar name, of the same kind if possible.
  static Optional<ComponentId> nearest(ComponentId wanted, Collection<ComponentId> ids) {
    return ids.stream()
        .flatMap(id -> distance(wanted, id).mapToObj(distance -> new Near(id, distance)))
        .min(Comparator.comparingInt(Near::distance).thenComparing(Near::id))
        .map(Near::id);
  }

  private static IntStream distance(ComponentId wanted, ComponentId id) {
    int kind = wanted.kind().equals(id.kind()) ? 0 : wanted.name().length() + 2 * OTHER_PART;
    int namespace = wanted.namespace().equals(id.namespace()) ? 0 : OTHER_PART;
    int version = wanted.version().equals(id.version()) ? 0 : OTHER_PART;
    return NameSuggestion.edits(wanted.name(), id.name()).stream()
        .map(edits -> edits + kind + namespace + version);
  }
}
