package dev.superstep.checkpoint;

import java.util.List;

/// Where something sealed belongs: a kind of thing, and the names and ids that tell it from others
/// of its kind. The thread is not among them, since forks and copies share what they hold.
record Place(String kind, List<String> names) {
  static Place of(String kind, String... names) {
    return new Place(kind, List.of(names));
  }

  /// As text that no other place has, whatever its names hold.
  String bound() {
    var text = new StringBuilder(kind);
    for (var name : names) text.append(' ').append(name.length()).append(':').append(name);
    return text.toString();
  }

  @Override
  public String toString() {
    return names.isEmpty() ? kind : kind + " `" + String.join(" / ", names) + "`";
  }
}
