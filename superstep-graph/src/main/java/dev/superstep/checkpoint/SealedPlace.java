package dev.superstep.checkpoint;

import java.util.List;

/// The place to which a sealed value belongs: the family of a thread, whose members are the thread
/// and its forks and copies; in that a kind of value, and the names and ids that distinguish it
/// from others of its kind. The thread itself is not part of the place, since its family shares
/// values.
///
/// @param family empty for what belongs to none
record SealedPlace(String family, String kind, List<String> names) {
  static SealedPlace of(String kind, String... names) {
    return new SealedPlace("", kind, List.of(names));
  }

  SealedPlace within(String other) {
    return new SealedPlace(other, kind, names);
  }

  /// As text that no other place has, whatever its names hold.
  String bound() {
    return family.length() + ":" + family + " " + boundApart();
  }

  /// Returns the text without the family, as it was before families existed.
  String boundApart() {
    var text = new StringBuilder(kind);
    for (var name : names) text.append(' ').append(name.length()).append(':').append(name);
    return text.toString();
  }

  @Override
  public String toString() {
    return names.isEmpty() ? kind : kind + " `" + String.join(" / ", names) + "`";
  }
}
