package dev.superstep.json;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The type of a collection whose elements are known, as reflection gives it for a record component
/// that is declared so. Immutable.
record CollectionType(Class<?> raw, List<Type> arguments) implements ParameterizedType {
  public CollectionType {
    arguments = List.copyOf(arguments);
  }

  @Override
  public Type[] getActualTypeArguments() {
    return arguments.toArray(Type[]::new);
  }

  @Override
  public Type getRawType() {
    return raw;
  }

  @Override
  public @Nullable Type getOwnerType() {
    return null;
  }
}
