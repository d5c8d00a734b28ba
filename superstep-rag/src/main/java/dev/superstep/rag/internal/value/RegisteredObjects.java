package dev.superstep.rag.internal.value;

import dev.superstep.json.Codec;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.rag.component.RagKind;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

/// The names of registered objects. Immutable.
public final class RegisteredObjects {
  private static final Map<String, String> BUILT_IN =
      Map.of(
          "String",
          "text",
          "Long",
          "int",
          "BigDecimal",
          "decimal",
          "Boolean",
          "bool",
          "Json",
          "json",
          "Failure",
          BoundTypes.FAILURE);

  private final Registry registry;
  private final Map<String, Map<Object, String>> byKind = new HashMap<>();
  private final Map<String, String> types = new HashMap<>();

  public RegisteredObjects(Registry registry) {
    this.registry = registry;
    for (var component : registry.list(RagKind.TYPE)) {
      if (component.perRun()) continue;
      var name = component.id().local();
      types.put(key(Codec.of(registry.get(RagKind.TYPE, name))), name);
    }
  }

  private static String key(Codec<?> codec) {
    return codec.type() + " " + codec.shape();
  }

  /// The name of this very object.
  public Optional<String> name(Kind<?> kind, Object object) {
    var names = byKind.computeIfAbsent(kind.name(), _ -> names(kind));
    return Optional.ofNullable(names.get(object));
  }

  private Map<Object, String> names(Kind<?> kind) {
    var names = new IdentityHashMap<Object, String>();
    for (var component : registry.list(kind)) {
      if (component.perRun()) continue;
      var name = component.id().local();
      names.putIfAbsent(registry.get(kind, name), name);
    }
    return names;
  }

  /// The name of a reducer, also of one that is equal.
  public Optional<String> reducer(Object reducer) {
    return registry.list(Kind.REDUCER).stream()
        .filter(each -> !each.perRun())
        .map(each -> each.id().local())
        .filter(name -> registry.get(Kind.REDUCER, name).equals(reducer))
        .findFirst();
  }

  /// The name of the type of a codec: a built-in one, a list, or a registered one.
  public Optional<TypeName> type(Codec<?> codec) {
    return type(codec.type(), codec.shape());
  }

  public Optional<TypeName> type(String type, String shape) {
    var builtIn = BUILT_IN.get(type);
    if (builtIn != null) return Optional.of(TypeName.of(builtIn));
    if (type.startsWith("list<") && type.endsWith(">")) {
      return type(type.substring(5, type.length() - 1), shape).map(TypeName::listOf);
    }
    return Optional.ofNullable(types.get(type + " " + shape)).map(TypeName::of);
  }
}
