package dev.superstep.repl.host;

import static java.util.Objects.requireNonNull;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A value as it crosses between a session and its host: data, a large text, or a handle that the
/// session can only pass on. All but [Document] and [Handle] are plain data. Immutable.
public sealed interface HostValue {
  /// The absence of a value: `None`.
  HostValue NOTHING = new Nothing();

  /// `None`.
  record Nothing() implements HostValue {}

  /// `True` or `False`.
  record Truth(boolean value) implements HostValue {}

  /// A whole number.
  record Whole(BigInteger value) implements HostValue {
    public Whole {
      requireNonNull(value, "value");
    }
  }

  /// A floating-point number.
  record Decimal(double value) implements HostValue {}

  /// A text.
  record Words(String value) implements HostValue {
    public Words {
      requireNonNull(value, "value");
    }
  }

  /// A list.
  record Items(List<HostValue> values) implements HostValue {
    public Items {
      values = List.copyOf(values);
    }
  }

  /// A map with texts as keys, in order.
  record Entries(Map<String, HostValue> values) implements HostValue {
    public Entries {
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
  }

  /// An item of a batch: what came of it, or why nothing did.
  ///
  /// @param error empty if `ok`
  record Outcome(boolean ok, HostValue value, String error) implements HostValue {
    public Outcome {
      requireNonNull(value, "value");
      requireNonNull(error, "error");
    }
  }

  /// A text that the session reads by pieces.
  record Document(TextSource source) implements HostValue {
    public Document {
      requireNonNull(source, "source");
    }
  }

  /// Something that a session holds without seeing into it, such as a compiled graph.
  ///
  /// @param kind shown as the type
  /// @param label shown to the script
  /// @param target never touched by the session
  record Handle(String kind, String label, Object target) implements HostValue {
    public Handle {
      requireNonNull(kind, "kind");
      requireNonNull(label, "label");
      requireNonNull(target, "target");
    }
  }

  /// A text.
  static HostValue of(String value) {
    return new Words(value);
  }

  /// A whole number.
  static HostValue of(long value) {
    return new Whole(BigInteger.valueOf(value));
  }

  /// A floating-point number.
  static HostValue of(double value) {
    return new Decimal(value);
  }

  /// `True` or `False`.
  static HostValue of(boolean value) {
    return new Truth(value);
  }

  /// A list of texts.
  static HostValue texts(List<String> values) {
    var all = new ArrayList<HostValue>(values.size());
    for (var value : values) all.add(new Words(value));
    return new Items(all);
  }
}
