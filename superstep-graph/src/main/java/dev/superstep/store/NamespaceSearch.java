package dev.superstep.store;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Which namespaces of a store to list. Immutable; each method returns a changed copy.
///
/// @param suffix what their last labels are
/// @param maxDepth longer ones are cut to so many labels, and count once
public record NamespaceSearch(
    Namespace within, Namespace suffix, int maxDepth, int limit, int offset) {
  /// The largest number of namespaces that one search may ask for.
  public static final int LIMIT_MAX = 10_000;

  private static final int LIMIT = 100;

  /// See the methods for what each part may be.
  public NamespaceSearch {
    if (maxDepth < 1) {
      throw new IllegalArgumentException("maxDepth must be at least 1, was " + maxDepth);
    }
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new IllegalArgumentException("limit must be 1 to " + LIMIT_MAX + ", was " + limit);
    }
    if (offset < 0) {
      throw new IllegalArgumentException("offset must not be negative, was " + offset);
    }
  }

  /// All namespaces in this one that have items, and itself; the first 100.
  public static NamespaceSearch in(Namespace within) {
    return new NamespaceSearch(within, Namespace.root(), Namespace.LABELS_MAX, LIMIT, 0);
  }

  /// Only those that end in these labels.
  public NamespaceSearch endingIn(String... labels) {
    return new NamespaceSearch(within, Namespace.of(labels), maxDepth, limit, offset);
  }

  /// Cuts what is longer to so many labels, as in a listing of folders.
  public NamespaceSearch maxDepth(int labels) {
    return new NamespaceSearch(within, suffix, labels, limit, offset);
  }

  /// At most so many.
  public NamespaceSearch limit(int most) {
    return new NamespaceSearch(within, suffix, maxDepth, most, offset);
  }

  /// Without the first ones.
  public NamespaceSearch offset(int skipped) {
    return new NamespaceSearch(within, suffix, maxDepth, limit, skipped);
  }

  /// Returns the namespaces to list, in order, of those that have items. For implementations of a
  /// store.
  public List<Namespace> of(Collection<Namespace> filled) {
    return filled.stream()
        .filter(namespace -> namespace.isIn(within) && namespace.endsWith(suffix))
        .map(namespace -> namespace.first(maxDepth))
        .distinct()
        .sorted(Comparator.naturalOrder())
        .skip(offset)
        .limit(limit)
        .toList();
  }
}
