package dev.superstep.repl.python;

import dev.superstep.repl.host.HostValue;
import java.util.List;
import java.util.Map;

/// The fields of a part of a frame, by their types. Immutable.
record Fields(Map<String, HostValue> all) {
  static Fields of(HostValue value) {
    if (value instanceof HostValue.Entries(var fields)) return new Fields(fields);
    throw new ProtocolBroken("an object is missing");
  }

  boolean has(String name) {
    return all.containsKey(name);
  }

  HostValue get(String name) {
    var value = all.get(name);
    if (value == null) throw new ProtocolBroken("the field `" + name + "` is missing");
    return value;
  }

  String text(String name) {
    return text(get(name));
  }

  int number(String name) {
    return Math.toIntExact(number(get(name), Integer.MAX_VALUE));
  }

  /// A number, or -1 if there is none.
  int maybe(String name) {
    var value = all.getOrDefault(name, HostValue.NOTHING);
    return value instanceof HostValue.Whole ? number(name) : -1;
  }

  Fields inner(String name) {
    return of(get(name));
  }

  List<HostValue> items(String name) {
    return items(get(name));
  }

  static List<HostValue> items(HostValue value) {
    if (value instanceof HostValue.Items(var items)) return items;
    throw new ProtocolBroken("a list is missing");
  }

  static String text(HostValue value) {
    if (value instanceof HostValue.Words(var text)) return text;
    throw new ProtocolBroken("a text is missing");
  }

  static long number(HostValue value, long most) {
    if (value instanceof HostValue.Whole(var number)
        && number.bitLength() < Long.SIZE
        && number.signum() >= 0
        && number.longValue() <= most) {
      return number.longValue();
    }
    throw new ProtocolBroken("a number is missing or out of its range");
  }
}
