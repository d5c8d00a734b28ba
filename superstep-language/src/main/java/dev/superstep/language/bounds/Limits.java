package dev.superstep.language.bounds;

import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Item;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The most that a run may take: of a text, or of the host that runs it. Immutable.
///
/// ```java
/// Limits.none().and(Measure.MODEL_CALLS, 40).and(Measure.COST, "0.50")
/// ```
///
/// @param most by measure; what is absent is not limited
public record Limits(Map<Measure, BigDecimal> most) {
  private static final Limits NONE = new Limits(Map.of());

  public Limits {
    var sorted = new EnumMap<Measure, BigDecimal>(Measure.class);
    most.forEach((measure, amount) -> {
      if (amount.signum() < 0) {
        throw new IllegalArgumentException(
            measure.word() + " must not be negative, was " + amount.toPlainString());
      }
      sorted.put(measure, amount);
    });
    most = Collections.unmodifiableMap(sorted);
  }

  /// No limits.
  public static Limits none() {
    return NONE;
  }

  /// The limits that stand among the items of a graph or a node.
  public static Limits of(Items items) {
    var most = new EnumMap<Measure, BigDecimal>(Measure.class);
    items
        .fields(Item.LIMITS)
        .forEach((key, value) -> {
          var measure = Measure.of(key);
          if (measure.isPresent() && value instanceof Literal.Decimal(var amount)) {
            most.put(measure.get(), amount);
          }
        });
    return most.isEmpty() ? NONE : new Limits(most);
  }

  /// Returns a copy with one more limit.
  public Limits and(Measure measure, long amount) {
    return and(measure, BigDecimal.valueOf(amount));
  }

  /// Returns a copy with one more limit.
  public Limits and(Measure measure, String amount) {
    return and(measure, new BigDecimal(amount));
  }

  private Limits and(Measure measure, BigDecimal amount) {
    var more = new EnumMap<Measure, BigDecimal>(Measure.class);
    more.putAll(most);
    more.put(measure, amount);
    return new Limits(more);
  }

  /// The limit of a measure, if there is one.
  public Optional<BigDecimal> find(Measure measure) {
    return Optional.ofNullable(most.get(measure));
  }

  public boolean isEmpty() {
    return most.isEmpty();
  }

  /// The limits that hold where both do: of each measure the lower one.
  public Limits narrowed(Limits other) {
    var both = new EnumMap<Measure, BigDecimal>(Measure.class);
    both.putAll(most);
    other.most.forEach((measure, amount) -> both.merge(measure, amount, BigDecimal::min));
    return new Limits(both);
  }

  /// Returns a graph that has these limits beside its own.
  public Blueprint on(Blueprint graph) {
    var all = narrowed(of(graph.items())).most;
    if (all.isEmpty()) return graph;
    var fields = new LinkedHashMap<String, Literal>();
    all.forEach((measure, amount) -> fields.put(measure.word(), new Literal.Decimal(amount)));
    return new Blueprint(
        graph.graph(),
        graph.items().with(Item.LIMITS, new Value.Fields(fields)),
        graph.allow(),
        graph.channels(),
        graph.nodes(),
        graph.edges(),
        graph.provenance());
  }
}
