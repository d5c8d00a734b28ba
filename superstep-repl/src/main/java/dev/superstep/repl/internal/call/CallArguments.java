package dev.superstep.repl.internal.call;

import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;

/// The arguments of a call as its function reads them. Immutable.
record CallArguments(String function, Map<String, HostValue> values) {
  private static final long TEXT_MAX = 16L << 20;
  private static final int PIECE = 1 << 20;

  /// The arguments, where the first may be a map that holds all of them.
  static CallArguments of(String function, Map<String, HostValue> arguments, String first) {
    if (arguments.get(first) instanceof HostValue.Entries(var inner)) {
      var all = new LinkedHashMap<>(arguments);
      all.remove(first);
      inner.forEach(all::putIfAbsent);
      return new CallArguments(function, all);
    }
    return new CallArguments(function, arguments);
  }

  static HostFailure wrong(String function, String what) {
    return HostFailure.catchable("invalid-arguments", function + "() " + what);
  }

  boolean has(String name) {
    var value = values.get(name);
    return value != null && !(value instanceof HostValue.Nothing);
  }

  HostValue need(String name) throws HostFailure {
    if (!has(name)) throw wrong(function, "needs `" + name + "`");
    return values.getOrDefault(name, HostValue.NOTHING);
  }

  /// A text, also one that is a part of a large one.
  String text(String name) throws HostFailure {
    return text(function, need(name));
  }

  static String text(String function, HostValue value) throws HostFailure {
    return switch (value) {
      case HostValue.Words(var text) -> text;
      case HostValue.Document(var source) -> {
        if (source.length() > TEXT_MAX) {
          throw wrong(function, "takes at most 16 Mi characters at once; cut the text");
        }
        var all = new StringBuilder();
        for (long at = 0; at < source.length(); at += PIECE) {
          all.append(source.read(at, Math.min(source.length(), at + PIECE)));
        }
        yield all.toString();
      }
      case HostValue.Nothing _,
          HostValue.Truth _,
          HostValue.Whole _,
          HostValue.Decimal _,
          HostValue.Items _,
          HostValue.Entries _,
          HostValue.Outcome _,
          HostValue.Handle _ ->
          throw wrong(function, "takes a text here");
    };
  }

  Optional<String> maybeText(String name) throws HostFailure {
    return has(name) ? Optional.of(text(name)) : Optional.empty();
  }

  /// The items of a list.
  List<HostValue> items(String name) throws HostFailure {
    if (need(name) instanceof HostValue.Items(var items)) return items;
    throw wrong(function, "takes a list as `" + name + "`");
  }

  List<String> texts(String name) throws HostFailure {
    var all = new ArrayList<String>();
    for (var item : items(name)) all.add(text(function, item));
    return all;
  }

  int number(String name, int otherwise, int least, int most) throws HostFailure {
    if (!has(name)) return otherwise;
    if (need(name) instanceof HostValue.Whole(var number)
        && number.bitLength() < 32
        && number.intValue() >= least
        && number.intValue() <= most) {
      return number.intValue();
    }
    throw wrong(
        function, "takes a whole number from " + least + " to " + most + " as `" + name + "`");
  }

  /// Refuses what the function does not know.
  void only(Set<String> known) throws HostFailure {
    for (var name : values.keySet()) {
      if (!known.contains(name)) throw wrong(function, "does not know `" + name + "`");
    }
  }

  /// The error for a name that is not granted, with the nearest one that is.
  static HostFailure unknown(String kind, String name, SequencedSet<String> granted) {
    var help = dev.superstep.language.Suggestion.didYouMean(name, granted);
    return HostFailure.catchable(
        "unknown-" + kind,
        "there is no %s `%s`%s".formatted(kind, name, help.isEmpty() ? "" : "; " + help));
  }
}
