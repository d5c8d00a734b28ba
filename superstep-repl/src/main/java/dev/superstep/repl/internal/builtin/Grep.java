package dev.superstep.repl.internal.builtin;

import static dev.superstep.repl.internal.builtin.Args.need;

import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TextValue;
import dev.superstep.repl.internal.value.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Finds the lines of a text that a pattern matches: for each a dict with the number of the line,
/// its position, the line itself and the lines around it.
final class Grep {
  private static final int AROUND_MAX = 1_000;
  private static final Str NUMBER = new Str("number");
  private static final Str POSITION = new Str("position");
  private static final Str LINE = new Str("line");
  private static final Str BEFORE = new Str("before");
  private static final Str AFTER = new Str("after");

  private Grep() {}

  static Value run(Meter m, TextValue text, @Nullable Value[] a) {
    var pattern = Regex.of(m, need(a[0]), 0);
    int before = around(a[1], "before");
    int after = around(a[2], "after");
    long most = Args.whole(a[3], Long.MAX_VALUE);
    var found = ListValue.sized(m, 0);
    var last = new ArrayDeque<String>();
    var open = new ArrayList<ListValue>();
    var lines = new Lines(text);
    for (long number = 1; lines.advance(m); number++) {
      var line = lines.line();
      for (var wanting : open) wanting.add(m, Str.of(m, line));
      open.removeIf(wanting -> wanting.size() >= after);
      if (found.size() < most && Regex.matcher(m, pattern, line).find()) {
        var entry = new DictValue(m);
        entry.table().put(m, NUMBER, Int.of(number));
        entry.table().put(m, POSITION, Int.of(lines.start()));
        entry.table().put(m, LINE, Str.of(m, line));
        var around = ListValue.sized(m, last.size());
        for (var earlier : last) around.add(m, Str.of(m, earlier));
        entry.table().put(m, BEFORE, around);
        var later = ListValue.sized(m, 0);
        entry.table().put(m, AFTER, later);
        if (after > 0) open.add(later);
        found.add(m, entry);
      } else if (found.size() >= most && open.isEmpty()) break;
      if (before > 0) {
        last.add(line);
        if (last.size() > before) last.remove();
      }
    }
    return found;
  }

  private static int around(@Nullable Value value, String name) {
    long lines = Args.whole(value, 0);
    if (lines < 0 || lines > AROUND_MAX) {
      throw Raise.value(name + " must be from 0 to " + AROUND_MAX);
    }
    return (int) lines;
  }
}
