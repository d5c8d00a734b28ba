package dev.superstep.repl.internal.name;

import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.host.ShownCall;
import dev.superstep.repl.host.Signature;
import dev.superstep.repl.internal.syntax.Expr;
import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Real;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds the arguments of a call that are literals.
final class LiteralArguments {
  private final Map<String, HostValue> found = new LinkedHashMap<>();
  private final Map<String, HostValue> rest = new LinkedHashMap<>();
  private boolean isWhole = true;

  private LiteralArguments() {}

  /// The call as its source shows it; it fits the signature.
  static ShownCall of(Signature signature, Expr.Call call) {
    var all = new LiteralArguments();
    var places =
        signature.parameters().stream().filter(Signature.Parameter::isPositional).iterator();
    for (var argument : call.arguments()) {
      if (argument.stars() > 0 || (argument.name().isEmpty() && !places.hasNext())) {
        all.isWhole = false;
        continue;
      }
      boolean isPlaced = argument.name().isEmpty();
      var name = isPlaced ? places.next().name() : argument.name();
      all.add(signature, name, isPlaced, value(argument.value()));
    }
    signature.parameters().stream()
        .filter(p -> p.kind() == Signature.Kind.NAMED_REST)
        .forEach(p -> all.found.put(p.name(), new HostValue.Entries(all.rest)));
    return new ShownCall(all.found, all.isWhole);
  }

  private void add(Signature signature, String name, boolean isPlaced, Optional<HostValue> value) {
    boolean isKnown =
        isPlaced
            || signature.parameters().stream().anyMatch(p -> p.isNamed() && p.name().equals(name));
    if (value.isEmpty()) isWhole = false;
    else if (isKnown) found.put(name, value.get());
    else rest.put(name, value.get());
  }

  private static Optional<HostValue> value(Expr expr) {
    return switch (expr) {
      case Expr.Constant(_, var value) -> constant(value);
      case Expr.Unary(_, var op, Expr.Constant(_, Int whole)) when op.equals("-") ->
          Optional.of(HostValue.of(-whole.value()));
      case Expr.Items(_, var items) -> items(items);
      case Expr.Tuple(_, var items) -> items(items);
      case Expr.Entries(_, var entries) -> entries(entries);
      case Expr _ -> Optional.empty();
    };
  }

  private static Optional<HostValue> constant(Value value) {
    return switch (value) {
      case None _ -> Optional.of(HostValue.NOTHING);
      case Bool truth -> Optional.of(HostValue.of(truth == Bool.TRUE));
      case Int whole -> Optional.of(HostValue.of(whole.value()));
      case Real real -> Optional.of(new HostValue.Decimal(real.value()));
      case Str text -> Optional.of(HostValue.of(text.written()));
      case Value _ -> Optional.empty();
    };
  }

  private static Optional<HostValue> items(List<Expr> items) {
    var all = new ArrayList<HostValue>();
    for (var item : items) {
      var value = value(item);
      if (value.isEmpty()) return Optional.empty();
      all.add(value.get());
    }
    return Optional.of(new HostValue.Items(all));
  }

  private static Optional<HostValue> entries(List<Expr.Entry> entries) {
    var all = new LinkedHashMap<String, HostValue>();
    for (var entry : entries) {
      var key = entry.key() == null ? Optional.<HostValue>empty() : value(entry.key());
      var value = value(entry.value());
      if (value.isEmpty() || key.isEmpty()) return Optional.empty();
      if (!(key.get() instanceof HostValue.Words(var name))) return Optional.empty();
      all.put(name, value.get());
    }
    return Optional.of(new HostValue.Entries(all));
  }
}
