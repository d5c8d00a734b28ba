package dev.superstep.tool;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Calls a method with the arguments of a tool. Immutable.
///
/// @param handle takes an array of all values, and returns an object
/// @param result makes what the tool returns of what the method does
record MethodBody(
    MethodHandle handle, List<Slot> slots, Function<@Nullable Object, @Nullable Object> result)
    implements ToolBody {
  private static final Codec<Map<String, Json>> OBJECT = Codec.mapOf(Json.class);

  MethodBody {
    slots = List.copyOf(slots);
  }

  /// Where the value of a parameter comes from.
  sealed interface Slot {
    /// From the model.
    record Argument(String name, Codec<?> codec, Presence presence) implements Slot {}

    /// From the program.
    record Injection(Class<?> type) implements Slot {}

    /// It is the context of the call.
    record Context() implements Slot {}
  }

  /// The value for an argument that the model leaves out.
  enum Presence {
    /// No call without it.
    REQUIRED,
    /// Null.
    NULLABLE,
    /// An empty optional.
    OPTIONAL
  }

  @Override
  public boolean hasArguments() {
    return slots.stream().anyMatch(Slot.Argument.class::isInstance);
  }

  /// The value is an array with a place for each slot; those of arguments are filled.
  @Override
  public Read read(Json arguments) {
    var given = OBJECT.decode(arguments);
    var problems = new ArrayList<String>();
    var values = new @Nullable Object[slots.size()];
    for (int i = 0; i < values.length; i++) {
      if (!(slots.get(i) instanceof Slot.Argument argument)) continue;
      try {
        values[i] = value(argument, given);
      } catch (MalformedJson e) {
        problems.add("`/%s`: %s".formatted(argument.name(), e.getMessage()));
      }
    }
    return new Read(problems, values);
  }

  @Override
  public @Nullable Object call(Object arguments, ToolContext context) throws Exception {
    var values = (@Nullable Object[]) arguments;
    for (int i = 0; i < values.length; i++) {
      switch (slots.get(i)) {
        case Slot.Argument _ -> {}
        case Slot.Injection(var type) -> values[i] = context.get(type);
        case Slot.Context _ -> values[i] = context;
      }
    }
    return result.apply(invoked(values));
  }

  private @Nullable Object invoked(@Nullable Object[] values) throws Exception {
    try {
      return (Object) handle.invokeExact(values);
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable Object value(Slot.Argument argument, Map<String, Json> given) {
    var value = given.getOrDefault(argument.name(), Json.ofNull());
    if (!value.equals(Json.ofNull())) return argument.codec().decode(value);
    return switch (argument.presence()) {
      case REQUIRED -> argument.codec().decode(value);
      case NULLABLE -> null;
      case OPTIONAL -> Optional.empty();
    };
  }
}
