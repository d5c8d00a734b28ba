package dev.superstep.repl;

import dev.superstep.repl.internal.value.Callable;
import dev.superstep.repl.internal.value.CellValue;
import dev.superstep.repl.internal.value.Halt;
import dev.superstep.repl.internal.value.Items;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Repr;
import dev.superstep.repl.internal.value.TextValue;
import dev.superstep.repl.internal.value.Value;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The variables of a session, and what was told about them last. Owned by the thread of the cell.
@SuppressWarnings("ReferenceEquality") // Identity is meant.
final class SessionVariables {
  private static final Meter.Limits LOOK = new Meter.Limits(2_000_000, 8 << 20, 200);

  private final Map<String, CellValue> cells = new LinkedHashMap<>();
  private Map<String, Seen> told = new LinkedHashMap<>();

  private record Seen(Value value, CellResult.Variable variable) {}

  /// The place of a variable, made if it is new.
  CellValue cell(String name) {
    return cells.computeIfAbsent(name, CellValue::new);
  }

  Map<String, CellValue> cells() {
    return cells;
  }

  /// The variables that have a value.
  List<String> names() {
    var names = new ArrayList<String>();
    cells.forEach((name, cell) -> {
      if (cell.value != null) names.add(name);
    });
    return names;
  }

  /// Tells all variables without their values.
  List<CellResult.Variable> all() {
    var all = new ArrayList<CellResult.Variable>();
    var look = look();
    for (var cell : cells.values()) {
      var value = cell.value;
      if (value != null) all.add(tell(look, cell.name(), value));
    }
    return all;
  }

  /// The variables that differ from when this was last asked.
  List<CellResult.Variable> changes() {
    var changed = new ArrayList<CellResult.Variable>();
    var now = new LinkedHashMap<String, Seen>();
    var look = look();
    for (var cell : cells.values()) {
      var value = cell.value;
      if (value == null) continue;
      var variable = tell(look, cell.name(), value);
      var before = told.get(cell.name());
      boolean isSame =
          before != null
              && before.variable.equals(variable)
              && (!isByIdentity(value, variable) || before.value == value);
      if (!isSame) changed.add(variable);
      now.put(cell.name(), new Seen(value, variable));
    }
    for (var name : told.keySet()) {
      if (!now.containsKey(name)) changed.add(new CellResult.Variable(name, "", 0, ""));
    }
    told = now;
    return changed;
  }

  private static boolean isByIdentity(Value value, CellResult.Variable variable) {
    return value instanceof Callable || variable.digest().isEmpty();
  }

  private static Meter look() {
    var look = new Meter(LOOK, m -> 0, () -> 0);
    look.begin(1);
    return look;
  }

  static CellResult.Variable tell(Meter look, String name, Value value) {
    long size;
    try {
      size = Items.length(value);
    } catch (Raise _) {
      size = 0;
    }
    return new CellResult.Variable(name, value.typeName(), size, digest(look, value));
  }

  private static String digest(Meter look, Value value) {
    if (value instanceof TextValue) return "";
    String text;
    try {
      text = value.typeName() + " " + Repr.repr(look, value);
    } catch (Halt _) {
      return "";
    }
    try {
      var hash = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(hash.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
