package dev.superstep.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Where items are, as a path of labels: `Namespace.of("users", "ann", "notes")`. Labels are any
/// text, so what comes from outside needs no escaping. Immutable.
public record Namespace(List<String> labels) implements Comparable<Namespace> {
  /// The largest number of labels in a namespace.
  public static final int LABELS_MAX = 32;

  /// The largest number of bytes in the [#path] of a namespace.
  public static final int PATH_BYTES_MAX = 1_000;

  private static final Namespace ROOT = new Namespace(List.of());

  /// @throws InvalidItem if a label is empty or no proper text, or it is too long
  public Namespace {
    labels = List.copyOf(labels);
    for (var label : labels) {
      if (label.isEmpty()) {
        throw new InvalidItem(
            "namespace", String.join("/", labels), "has an empty label; leave it out.");
      }
      Texts.check("label", label);
    }
    if (labels.size() > LABELS_MAX) {
      throw new InvalidItem(
          "namespace",
          String.join("/", labels),
          "has %d labels; %d are allowed.".formatted(labels.size(), LABELS_MAX));
    }
    int bytes = path(labels).getBytes(StandardCharsets.UTF_8).length;
    if (bytes > PATH_BYTES_MAX) {
      throw new InvalidItem(
          "namespace",
          String.join("/", labels),
          "has %,d bytes; %,d are allowed. Use a digest of what is long."
              .formatted(bytes, PATH_BYTES_MAX));
    }
  }

  /// The namespace with these labels.
  ///
  /// @throws InvalidItem if a label is empty or no proper text, or it is too long
  public static Namespace of(String... labels) {
    return new Namespace(List.of(labels));
  }

  /// The namespace that all others are in.
  public static Namespace root() {
    return ROOT;
  }

  /// A namespace in this one.
  public Namespace child(String... more) {
    var all = new ArrayList<>(labels);
    all.addAll(List.of(more));
    return new Namespace(all);
  }

  /// Returns whether this is that namespace or one inside it.
  public boolean isIn(Namespace outer) {
    return outer.labels.size() <= labels.size()
        && labels.subList(0, outer.labels.size()).equals(outer.labels);
  }

  /// Returns whether these are its last labels.
  public boolean endsWith(Namespace suffix) {
    int from = labels.size() - suffix.labels.size();
    return from >= 0 && labels.subList(from, labels.size()).equals(suffix.labels);
  }

  /// Its first labels, at most `depth`.
  public Namespace first(int depth) {
    return depth >= labels.size() ? this : new Namespace(labels.subList(0, depth));
  }

  /// It as one text, each label ended by `/`, for those who write a store: what is in a namespace
  /// has a path that starts with its path.
  public String path() {
    return path(labels);
  }

  /// The namespace of a [#path].
  public static Namespace ofPath(String path) {
    var labels = new ArrayList<String>();
    for (int from = 0, end; from < path.length(); from = end + 1) {
      end = path.indexOf('/', from);
      if (end < 0) throw new InvalidItem("namespace", path, "has a label without an end.");
      labels.add(path.substring(from, end).replace("~1", "/").replace("~0", "~"));
    }
    return new Namespace(labels);
  }

  @Override
  public int compareTo(Namespace other) {
    int common = Math.min(labels.size(), other.labels.size());
    for (int i = 0; i < common; i++) {
      int order = Texts.compare(labels.get(i), other.labels.get(i));
      if (order != 0) return order;
    }
    return Integer.compare(labels.size(), other.labels.size());
  }

  @Override
  public String toString() {
    return String.join("/", labels);
  }

  private static String path(List<String> labels) {
    var path = new StringBuilder();
    for (var label : labels) {
      path.append(label.replace("~", "~0").replace("/", "~1")).append('/');
    }
    return path.toString();
  }
}
