package dev.superstep.repl.internal.json;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.repl.host.HostValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/// Values of a session as JSON. What JSON has no form for is an object with the one field `$`.
public final class HostJson {
  private static final Codec<Map<String, Json>> OBJECT = Codec.mapOf(Json.class);
  private static final String MARK = "$";
  private static final int PIECE = 1 << 16;

  private HostJson() {}

  /// A value as JSON, for storing it.
  public static Json of(HostValue value) {
    var out = new StringBuilder();
    write(value, out);
    return Json.unchecked(out.toString());
  }

  private static void write(HostValue value, StringBuilder out) {
    switch (value) {
      case HostValue.Nothing _ -> out.append("null");
      case HostValue.Truth(var is) -> out.append(is);
      case HostValue.Whole(var number) -> out.append(number);
      case HostValue.Decimal(var number) -> {
        if (Double.isFinite(number)) out.append(number);
        else marked("decimal", Json.string(String.valueOf(number)).text(), out);
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
        if (values.containsKey(MARK)) {
          var inner = new StringBuilder();
          entries(values, inner);
          marked("map", inner.toString(), out);
        } else entries(values, out);
      }
      case HostValue.Outcome(var ok, var inner, var error) -> {
        var fields = new LinkedHashMap<String, HostValue>();
        fields.put("ok", HostValue.of(ok));
        fields.put("value", inner);
        fields.put("error", HostValue.of(error));
        var text = new StringBuilder();
        entries(fields, text);
        marked("outcome", text.toString(), out);
      }
      case HostValue.Document(var source) -> {
        var text = new StringBuilder();
        for (long at = 0; at < source.length(); at += PIECE) {
          text.append(source.read(at, Math.min(source.length(), at + PIECE)));
        }
        out.append(Json.string(text.toString()).text());
      }
      case HostValue.Handle(var kind, var label, _) -> {
        var name = Json.string(kind + " " + label).text();
        marked("handle", name, out);
      }
    }
  }

  private static void marked(String kind, String json, StringBuilder out) {
    out.append("{\"$\":{\"").append(kind).append("\":").append(json).append("}}");
  }

  private static void entries(Map<String, HostValue> values, StringBuilder out) {
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

  /// The value of JSON.
  public static HostValue read(Json json) {
    var text = json.text();
    return switch (text.charAt(0)) {
      case 'n' -> HostValue.NOTHING;
      case 't' -> HostValue.of(true);
      case 'f' -> HostValue.of(false);
      case '"' -> HostValue.of(json.as(String.class));
      case '[' -> {
        var items = new ArrayList<HostValue>();
        for (var item : json.elements()) items.add(read(item));
        yield new HostValue.Items(items);
      }
      case '{' -> object(json);
      default -> number(text);
    };
  }

  private static HostValue number(String text) {
    boolean isWhole = text.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
    return isWhole
        ? new HostValue.Whole(new BigInteger(text))
        : new HostValue.Decimal(new BigDecimal(text).doubleValue());
  }

  private static HostValue object(Json json) {
    var fields = OBJECT.decode(json);
    var marked = fields.get(MARK);
    if (marked == null || fields.size() > 1) return map(fields);
    var inner = OBJECT.decode(marked);
    var kind = inner.keySet().iterator().next();
    var value = inner.values().iterator().next();
    return switch (kind) {
      case "decimal" -> new HostValue.Decimal(Double.parseDouble(value.as(String.class)));
      case "map" -> map(OBJECT.decode(value));
      case "outcome" -> {
        var parts = OBJECT.decode(value);
        yield new HostValue.Outcome(
            part(parts, "ok").as(Boolean.class),
            read(part(parts, "value")),
            part(parts, "error").as(String.class));
      }
      default -> throw new IllegalArgumentException("no value is stored as `" + kind + "`");
    };
  }

  private static Json part(Map<String, Json> parts, String name) {
    return parts.getOrDefault(name, Json.ofNull());
  }

  private static HostValue map(Map<String, Json> fields) {
    var values = new LinkedHashMap<String, HostValue>();
    fields.forEach((name, value) -> values.put(name, read(value)));
    return new HostValue.Entries(values);
  }

  /// SHA-256 of what a call is given, in hexadecimal.
  public static String digest(String function, HostValue arguments) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update((function + "\n").getBytes(StandardCharsets.UTF_8));
      digest(arguments, digest);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  private static void digest(HostValue value, MessageDigest digest) {
    switch (value) {
      case HostValue.Document(var source) -> {
        // Read by pieces: it may be larger than the heap.
        digest.update((byte) '"');
        for (long at = 0; at < source.length(); at += PIECE) {
          var piece = source.read(at, Math.min(source.length(), at + PIECE));
          digest.update(piece.getBytes(StandardCharsets.UTF_8));
        }
        digest.update((byte) '"');
      }
      case HostValue.Items(var values) -> {
        digest.update((byte) '[');
        for (var item : values) digest(item, digest);
        digest.update((byte) ']');
      }
      case HostValue.Entries(var values) -> {
        digest.update((byte) '{');
        values.forEach((name, item) -> {
          digest.update(Json.string(name).text().getBytes(StandardCharsets.UTF_8));
          digest(item, digest);
        });
        digest.update((byte) '}');
      }
      case HostValue.Nothing _,
          HostValue.Truth _,
          HostValue.Whole _,
          HostValue.Decimal _,
          HostValue.Words _,
          HostValue.Outcome _,
          HostValue.Handle _ -> {
        var out = new StringBuilder();
        write(value, out);
        digest.update(out.append('\n').toString().getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
