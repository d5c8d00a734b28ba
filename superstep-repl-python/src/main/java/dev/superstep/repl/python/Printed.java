package dev.superstep.repl.python;

/// Collects what a cell prints, up to its limit. One thread.
final class Printed {
  private final int most;
  private final StringBuilder text = new StringBuilder();

  Printed(int most) {
    this.most = most;
  }

  /// @throws CellEnded if it is too much
  void add(String part) {
    int room = most - text.length();
    if (part.length() <= room) {
      text.append(part);
      return;
    }
    int end = room > 0 && Character.isHighSurrogate(part.charAt(room - 1)) ? room - 1 : room;
    text.append(part, 0, end);
    throw new CellEnded("output-limit", "the cell printed more than " + most + " characters");
  }

  String all() {
    return text.toString();
  }
}
