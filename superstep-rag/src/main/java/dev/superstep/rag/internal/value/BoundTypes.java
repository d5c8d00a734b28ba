package dev.superstep.rag.internal.value;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.node.Failure;
import dev.superstep.rag.component.RagKind;
import dev.superstep.registry.Registry;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;

/// The Java types of the types in texts. Immutable.
public final class BoundTypes {
  /// The type that the handler of a failure is sent.
  public static final String FAILURE = "failure";

  private static final Map<String, Class<?>> BUILT_IN =
      Map.of(
          "text", String.class,
          "int", Long.class,
          "decimal", BigDecimal.class,
          "bool", Boolean.class,
          "json", Json.class);

  private final Registry registry;

  public BoundTypes(Registry registry) {
    this.registry = registry;
  }

  /// A type of values.
  ///
  /// @param of the class; empty for lists
  public record BoundType(TypeName name, Codec<Object> codec, Optional<Class<Object>> of) {
    /// Reads a value from outside. Unlike its codec, it takes no number for a text, nor the other
    /// way round.
    ///
    /// @throws MalformedJson if it has another type
    public Object read(Json json) {
      var text = json.text();
      boolean fits =
          switch (name.name()) {
            case "text" -> text.startsWith("\"");
            case "int", "decimal" -> text.startsWith("-") || Character.isDigit(text.charAt(0));
            case "bool" -> text.equals("true") || text.equals("false");
            default -> true;
          };
      // A list in place of the value: no codec of a scalar reads that.
      return codec.decode(fits ? json : Json.parse("[[]]"));
    }
  }

  /// The class of a type that is no list.
  private Class<?> raw(String name) {
    var known = BUILT_IN.get(name);
    if (known != null) return known;
    if (name.equals(FAILURE)) return Failure.class;
    return registry.get(RagKind.TYPE, name);
  }

  /// The type of a name.
  ///
  /// @throws dev.superstep.json.SuperstepException if it is not registered, or cannot be stored
  @SuppressWarnings("unchecked") // values of a type that only the text knows
  public BoundType bound(TypeName name) {
    if (name.element().isEmpty()) {
      var type = (Class<Object>) raw(name.name());
      return new BoundType(name, Codec.of(type), Optional.of(type));
    }
    var element = bound(name.element().get());
    var codec =
        element.of().isPresent()
            ? Codec.listOf(element.of().get())
            : new NestedList(element.codec());
    return new BoundType(name, (Codec<Object>) (Codec<?>) codec, Optional.empty());
  }
}
