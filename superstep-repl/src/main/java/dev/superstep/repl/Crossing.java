package dev.superstep.repl;

import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.internal.value.BigInt;
import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.HandleValue;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Iter;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Numbers;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.RangeValue;
import dev.superstep.repl.internal.value.Real;
import dev.superstep.repl.internal.value.ResultValue;
import dev.superstep.repl.internal.value.SetValue;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TextValue;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import dev.superstep.repl.internal.value.ViewValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/// Copies values over the boundary between a session and its host, in both directions. What is no
/// data stays on its side.
final class Crossing {
  private Crossing() {}

  /// A value of the host for a script.
  static Value in(Meter m, HostValue value) {
    m.tick(1);
    return switch (value) {
      case HostValue.Nothing _ -> None.NONE;
      case HostValue.Truth truth -> Bool.of(truth.value());
      case HostValue.Whole whole -> Int.of(whole.value());
      case HostValue.Decimal decimal -> new Real(decimal.value());
      case HostValue.Words words -> Str.of(m, TextValue.wellFormed(words.value()));
      case HostValue.Items items -> {
        m.enter(0);
        var list = ListValue.sized(m, items.values().size());
        for (var item : items.values()) list.add(m, in(m, item));
        m.leave(0);
        yield list;
      }
      case HostValue.Entries entries -> {
        m.enter(0);
        var map = new DictValue(m);
        for (var entry : entries.values().entrySet()) {
          map.table()
              .put(m, Str.of(m, TextValue.wellFormed(entry.getKey())), in(m, entry.getValue()));
        }
        m.leave(0);
        yield map;
      }
      case HostValue.Outcome outcome -> {
        m.charge(64);
        var error = outcome.ok() ? None.NONE : Str.of(m, TextValue.wellFormed(outcome.error()));
        yield new ResultValue(outcome.ok(), in(m, outcome.value()), error);
      }
      case HostValue.Document document -> {
        m.charge(64);
        yield new TextValue(document.source(), 0, document.source().length());
      }
      case HostValue.Handle handle -> {
        m.charge(64);
        yield new HandleValue(handle.kind(), handle.label(), handle.target());
      }
    };
  }

  /// A value of a script for the host.
  ///
  /// @param onlyData refuses handles
  static HostValue out(Meter m, Value value, boolean onlyData) {
    m.tick(1);
    return switch (value) {
      case None _ -> HostValue.NOTHING;
      case Bool b -> HostValue.of(b.value());
      case Int i -> HostValue.of(i.value());
      case BigInt b -> new HostValue.Whole(Numbers.big(b));
      case Real r -> HostValue.of(r.value());
      case Str s -> HostValue.of(s.text(m));
      case ListValue list -> items(m, list.copy(m), onlyData);
      case TupleValue tuple -> items(m, tuple.items(), onlyData);
      case SetValue _, ViewValue _, RangeValue _, Iter _ ->
          items(m, Iterate.list(m, value).copy(m), onlyData);
      case DictValue map -> entries(m, map, onlyData);
      case ResultValue result ->
          new HostValue.Outcome(
              result.ok(),
              out(m, result.value(), onlyData),
              result.error() instanceof Str error ? error.text(m) : "");
      case TextValue text when onlyData -> HostValue.of(text.read(m, 0, text.length()));
      case TextValue text -> new HostValue.Document(new View(text));
      case HandleValue handle when !onlyData ->
          new HostValue.Handle(handle.typeName(), handle.label(), handle.target());
      case Value _ ->
          throw Raise.type(
              "unsupported value type: a " + value.typeName() + " cannot be given to the host");
    };
  }

  private static HostValue items(Meter m, Value[] values, boolean onlyData) {
    m.enter(0);
    m.charge(32L * values.length);
    var all = new ArrayList<HostValue>(values.length);
    for (var value : values) all.add(out(m, value, onlyData));
    m.leave(0);
    return new HostValue.Items(all);
  }

  private static HostValue entries(Meter m, DictValue map, boolean onlyData) {
    m.enter(0);
    m.charge(64L * map.table().size());
    var all = new LinkedHashMap<String, HostValue>();
    for (int i = 0; i < map.table().end(); i++) {
      var key = map.table().key(i);
      if (key == null) continue;
      if (!(key instanceof Str name)) {
        throw Raise.type(
            "unsupported value type: a dict for the host has str keys, found " + key.typeName());
      }
      all.put(name.text(m), out(m, map.table().value(i), onlyData));
    }
    m.leave(0);
    return new HostValue.Entries(all);
  }

  /// A part of a large text, as the host sees it.
  private record View(TextValue text) implements dev.superstep.repl.host.TextSource {
    @Override
    public long length() {
      return text.length();
    }

    @Override
    public String read(long from, long to) {
      return text.source().read(text.from() + from, text.from() + to);
    }
  }
}
