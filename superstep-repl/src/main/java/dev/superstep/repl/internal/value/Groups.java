package dev.superstep.repl.internal.value;

/// The groups of a match.
public final class Groups {
  private Groups() {}

  /// The text of a group by its number or name; `None` if it took no part.
  public static Value get(Meter m, MatchValue match, Value key) {
    int group = number(m, match, key);
    return text(m, match, group);
  }

  /// The number of a group.
  public static int number(Meter m, MatchValue match, Value key) {
    if (key instanceof Str name) {
      var found = match.pattern().pattern().namedGroups().get(name.text(m));
      if (found == null) throw Raise.index("no such group");
      return found;
    }
    long group = Numbers.whole(key);
    if (group < 0 || group > match.groups()) throw Raise.index("no such group");
    return (int) group;
  }

  /// The text of a group; `None` if it took no part.
  public static Value text(Meter m, MatchValue match, int group) {
    if (match.start(group) < 0) return None.NONE;
    return Str.of(m, match.text().text(m).substring(match.start(group), match.end(group)));
  }
}
