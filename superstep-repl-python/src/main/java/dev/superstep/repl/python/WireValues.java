package dev.superstep.repl.python;

import dev.superstep.json.Json;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.host.TextSource;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes values of the host for an interpreter, and reads those that it gives back. Large texts
/// and handles stay here: the interpreter knows them by numbers, and only those that it was given.
/// One thread at a time.
final class WireValues {
  private static final String MARK = "$";
  private static final int BITS_MOST = 4_096;
  private static final int PLAIN_BITS = 63;

  /// The most code points that are read of a text at once.
  static final int PIECE_MOST = 1 << 16;

  private final List<HostValue> kept = new ArrayList<>();
  private final Map<HostValue, Integer> numbers = new HashMap<>();

  /// A value as JSON.
  String write(HostValue value) {
    var out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private void write(HostValue value, StringBuilder out) {
    switch (value) {
      case HostValue.Nothing _ -> out.append("null");
      case HostValue.Truth(var is) -> out.append(is);
      case HostValue.Whole(var number) when number.bitLength() <= PLAIN_BITS -> out.append(number);
      case HostValue.Whole(var number) -> marked("int", Json.string(number.toString(16)), out);
      case HostValue.Decimal(var number) when Double.isFinite(number) -> out.append(number);
      case HostValue.Decimal(var number) -> {
        var word = Double.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
        marked("decimal", Json.string(word), out);
      }
      case HostValue.Words(var text) -> out.append(Json.string(text).text());
      case HostValue.Items(var values) -> {
        out.append('[');
        for (int i = 0; i < values.size(); i++) {
          if (i > 0) out.append(',');
          write(values.get(i), out);
        }
        out.append(']');
      }
      case HostValue.Entries(var values) -> {
        boolean isMarked = values.containsKey(MARK);
        if (isMarked) out.append("{\"$\":{\"map\":");
        entries(values, out);
        if (isMarked) out.append("}}");
      }
      case HostValue.Outcome(var ok, var inner, var error) -> {
        out.append("{\"$\":{\"outcome\":");
        var fields = new LinkedHashMap<String, HostValue>();
        fields.put("ok", HostValue.of(ok));
        fields.put("value", inner);
        fields.put("error", HostValue.of(error));
        entries(fields, out);
        out.append("}}");
      }
      case HostValue.Document(var source) ->
          marked(
              "text", Json.unchecked("[%d,0,%d]".formatted(number(value), source.length())), out);
      case HostValue.Handle(var kind, var label, _) -> {
        var text = "[%d,%s,%s]".formatted(number(value), Json.string(kind), Json.string(label));
        marked("handle", Json.unchecked(text), out);
      }
    }
  }

  private int number(HostValue value) {
    return numbers.computeIfAbsent(
        value,
        known -> {
          kept.add(known);
          return kept.size() - 1;
        });
  }

  private static void marked(String kind, Json json, StringBuilder out) {
    out.append("{\"$\":{\"").append(kind).append("\":").append(json.text()).append("}}");
  }

  private void entries(Map<String, HostValue> values, StringBuilder out) {
    out.append('{');
    boolean isFirst = true;
    for (var entry : values.entrySet()) {
      if (!isFirst) out.append(',');
      isFirst = false;
      out.append(Json.string(entry.getKey()).text()).append(':');
      write(entry.getValue(), out);
    }
    out.append('}');
  }

  /// The value of JSON that came from the interpreter.
  ///
  /// @throws ProtocolBroken if it is none, or names a text or handle that was not given
  HostValue read(HostValue json) {
    return switch (json) {
      case HostValue.Items(var items) -> {
        var all = new ArrayList<HostValue>(items.size());
        for (var item : items) all.add(read(item));
        yield new HostValue.Items(all);
      }
      case HostValue.Entries(var fields) when fields.size() == 1 && fields.containsKey(MARK) ->
          unmarked(new Fields(fields).inner(MARK));
      case HostValue.Entries(var fields) -> map(fields);
      case HostValue.Nothing _,
          HostValue.Truth _,
          HostValue.Whole _,
          HostValue.Decimal _,
          HostValue.Words _,
          HostValue.Outcome _,
          HostValue.Document _,
          HostValue.Handle _ ->
          json;
    };
  }

  private HostValue map(Map<String, HostValue> fields) {
    var all = new LinkedHashMap<String, HostValue>();
    fields.forEach((name, value) -> all.put(name, read(value)));
    return new HostValue.Entries(all);
  }

  private HostValue unmarked(Fields marked) {
    if (marked.all().size() != 1) throw new ProtocolBroken("a mark has one kind");
    var kind = marked.all().keySet().iterator().next();
    return switch (kind) {
      case "int" -> whole(marked.text(kind));
      case "decimal" -> decimal(marked.text(kind));
      case "map" -> map(marked.inner(kind).all());
      case "outcome" -> {
        var parts = marked.inner(kind);
        boolean ok = parts.get("ok").equals(HostValue.of(true));
        yield new HostValue.Outcome(ok, read(parts.get("value")), parts.text("error"));
      }
      case "text" -> {
        var part = part(marked.items(kind));
        yield new HostValue.Document(part);
      }
      case "handle" -> handle(marked.get(kind));
      default -> throw new ProtocolBroken("no value is a `" + kind + "`");
    };
  }

  private static HostValue whole(String hexadecimal) {
    if (!hexadecimal.matches("-?0x[0-9a-f]{1,1025}")) throw new ProtocolBroken("no whole number");
    var number = new BigInteger(hexadecimal.replaceFirst("0x", ""), 16);
    if (number.bitLength() > BITS_MOST) throw new ProtocolBroken("a whole number is too large");
    return new HostValue.Whole(number);
  }

  private static HostValue decimal(String word) {
    return switch (word) {
      case "nan" -> HostValue.of(Double.NaN);
      case "inf" -> HostValue.of(Double.POSITIVE_INFINITY);
      case "-inf" -> HostValue.of(Double.NEGATIVE_INFINITY);
      default -> throw new ProtocolBroken("no decimal");
    };
  }

  private HostValue handle(HostValue number) {
    var known = known(number);
    if (known instanceof HostValue.Handle) return known;
    throw new ProtocolBroken("no handle was given under this number");
  }

  private HostValue known(HostValue number) {
    if (kept.isEmpty()) throw new ProtocolBroken("nothing was given under this number");
    return kept.get((int) Fields.number(number, kept.size() - 1));
  }

  /// A part of a text that was given: its number, where it begins and where it ends.
  private TextSource part(List<HostValue> place) {
    if (place.size() != 3 || !(known(place.getFirst()) instanceof HostValue.Document(var text))) {
      throw new ProtocolBroken("no text was given under this number");
    }
    long to = Fields.number(place.get(2), text.length());
    long from = Fields.number(place.get(1), to);
    boolean isWhole = from == 0 && to == text.length();
    return isWhole ? text : new Part(text, from, to);
  }

  /// The characters of a part of a text.
  String piece(List<HostValue> place) {
    var part = part(place);
    if (part.length() > PIECE_MOST) throw new ProtocolBroken("a piece is too long");
    return part.read(0, part.length());
  }

  private record Part(TextSource text, long from, long to) implements TextSource {
    @Override
    public long length() {
      return to - from;
    }

    @Override
    public String read(long start, long end) {
      return text.read(from + start, from + end);
    }
  }
}
