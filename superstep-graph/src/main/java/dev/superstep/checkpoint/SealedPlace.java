package dev.superstep.checkpoint;

import java.util.List;

/// Where something sealed belongs: to the family of a thread, whose members are the thread and what
/// was forked or copied from it; in that to a kind of thing, and to the names and ids that tell it
/// from others of its kind. The thread itself is not among them, since its family shares values.
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
