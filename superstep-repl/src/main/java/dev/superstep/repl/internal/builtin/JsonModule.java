package dev.superstep.repl.internal.builtin;

import static dev.superstep.repl.internal.builtin.Args.need;

import dev.superstep.repl.internal.value.ErrorType;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.ModuleValue;
import dev.superstep.repl.internal.value.Numbers;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The module `json`.
final class JsonModule {
  private static final int INDENT_MAX = 40;

  private JsonModule() {}

  static ModuleValue module() {
    return new ModuleValue(
        "json",
        Map.of(
            "loads",
                new Builtin(
                    "loads(s)",
                    (m, a) -> JsonReading.read(m, Args.chars(m, a[0], "the JSON object"))),
            "dumps",
                new Builtin(
                    "dumps(obj, *, indent=, sort_keys=, ensure_ascii=, separators=)",
                    JsonModule::dumps),
            "JSONDecodeError", ErrorType.JSON));
  }

  private static Value dumps(Meter m, @Nullable Value[] a) {
    boolean isIndented = !Args.isNone(a[1]);
    var indent = "";
    if (a[1] instanceof Str text) indent = text.text(m);
    else if (isIndented) indent = " ".repeat(Math.clamp(Numbers.whole(need(a[1])), 0, INDENT_MAX));
    if (indent.length() > INDENT_MAX)
      throw Raise.value("an indent has at most " + INDENT_MAX + " characters");
    var comma = isIndented ? "," : ", ";
    var colon = ": ";
    if (a[4] instanceof TupleValue two && two.size() == 2) {
      comma = Args.text(two.get(0), "separator").text(m);
      colon = Args.text(two.get(1), "separator").text(m);
    }
    var style =
        new JsonWriting.Style(
            indent, isIndented, Args.flag(a[2], false), Args.flag(a[3], true), comma, colon);
    return JsonWriting.write(m, need(a[0]), style);
  }
}
