package dev.superstep.cli.conversation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// A change of a plan as a person types it. Immutable.
///
/// @param from the step, from 1
/// @param to where it goes, from 1
record PlanChange(Kind kind, int from, int to, String text) {
  private static final Pattern FORM =
      Pattern.compile("([+-]?)(\\d{1,2})(?:>(\\d{1,2}))?(?:\\s+(.+))?");

  /// The kinds of changes.
  enum Kind {
    REWORD,
    ADD,
    REMOVE,
    MOVE
  }

  /// Reads a change; empty if it is none.
  static Optional<PlanChange> of(String typed) {
    var matched = FORM.matcher(typed.strip());
    if (!matched.matches()) return Optional.empty();
    var sign = matched.group(1);
    int from = Integer.parseInt(matched.group(2));
    var to = matched.group(3);
    var text = matched.group(4) == null ? "" : matched.group(4).strip();
    if (to != null) {
      boolean isMove = sign.isEmpty() && text.isEmpty();
      return isMove
          ? Optional.of(new PlanChange(Kind.MOVE, from, Integer.parseInt(to), ""))
          : Optional.empty();
    }
    var kind =
        switch (sign) {
          case "-" -> Kind.REMOVE;
          case "+" -> Kind.ADD;
          default -> Kind.REWORD;
        };
    boolean hasText = !text.isEmpty();
    boolean isWhole = kind == Kind.REMOVE ? !hasText : hasText;
    return isWhole ? Optional.of(new PlanChange(kind, from, from, text)) : Optional.empty();
  }

  /// The steps after the change; empty if there is no such step.
  Optional<List<String>> apply(List<String> steps) {
    int most = kind == Kind.ADD ? steps.size() + 1 : steps.size();
    if (from < 1 || from > most || to < 1 || to > most) return Optional.empty();
    var changed = new ArrayList<>(steps);
    switch (kind) {
      case REWORD -> changed.set(from - 1, text);
      case ADD -> changed.add(from - 1, text);
      case REMOVE -> changed.remove(from - 1);
      case MOVE -> changed.add(to - 1, changed.remove(from - 1));
    }
    return changed.isEmpty() ? Optional.empty() : Optional.of(changed);
  }
}
