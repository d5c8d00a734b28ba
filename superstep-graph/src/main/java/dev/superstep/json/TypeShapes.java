package dev.superstep.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.lang.annotation.Annotation;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Describes the shape of a closed type, as its JSON has it: the components of records, the cases
/// of sealed interfaces, the constants of enums.
final class TypeShapes {
  /// The annotations that leave a record an object.
  private static final Set<Class<?>> PLAIN =
      Set.of(JsonTypeName.class, JsonProperty.class, JsonInclude.class);

  private final Set<Class<?>> told = new HashSet<>();
  private boolean isStructured;

  private TypeShapes() {}

  /// The shape as text that is equal for equal shapes; empty for a type whose name says all.
  static String of(Type type) {
    var shapes = new TypeShapes();
    var text = shapes.text(type);
    return shapes.isStructured ? text : "";
  }

  private String text(Type type) {
    return switch (type) {
      case Class<?> c -> text(c);
      case ParameterizedType p ->
          ((Class<?>) p.getRawType()).getSimpleName()
              + Stream.of(p.getActualTypeArguments())
                  .map(this::text)
                  .collect(Collectors.joining(",", "<", ">"));
      default -> type.getTypeName();
    };
  }

  private String text(Class<?> type) {
    var name = name(type);
    boolean isSealed = type.isSealed() && type.isInterface();
    if (!type.isRecord() && !type.isEnum() && !isSealed) return name;
    isStructured = true;
    // A recursive type is described once.
    if (!told.add(type)) return name;
    if (type.isRecord()) {
      return Stream.of(type.getRecordComponents())
          .map(this::text)
          .collect(Collectors.joining(",", name + "{", "}"));
    }
    var parts = isSealed ? cases(type) : constants(type);
    return name + "(" + String.join("|", parts) + ")";
  }

  private List<String> cases(Class<?> type) {
    var cases = new ArrayList<String>();
    for (var permitted : type.getPermittedSubclasses()) cases.add(text(permitted));
    return cases;
  }

  private static List<String> constants(Class<?> type) {
    return Stream.of(type.getEnumConstants()).map(one -> ((Enum<?>) one).name()).toList();
  }

  private String text(RecordComponent component) {
    var renamed = component.getAccessor().getAnnotation(JsonProperty.class);
    var name = renamed == null || renamed.value().isEmpty() ? component.getName() : renamed.value();
    boolean isNullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    return name + ":" + text(component.getGenericType()) + (isNullable ? "?" : "");
  }

  /// Returns whether a value of the type may be written as a list: JSON itself, and a record whose
  /// author says how it is written.
  static boolean mayBeList(Class<?> type) {
    if (ClosedTypes.isScalar(type)) return false;
    if (type.isSealed() && type.isInterface()) {
      return isWrittenSpecially(type)
          || Stream.of(type.getPermittedSubclasses()).anyMatch(TypeShapes::mayBeList);
    }
    return !type.isRecord() || isWrittenSpecially(type);
  }

  private static boolean isWrittenSpecially(Class<?> type) {
    return Stream.concat(
            Stream.of(type.getAnnotations()),
            Stream.of(type.getDeclaredMethods()).flatMap(m -> Stream.of(m.getAnnotations())))
        .map(Annotation::annotationType)
        .anyMatch(a -> a.getPackageName().contains("jackson") && !PLAIN.contains(a));
  }

  /// Returns the name of a type in what is stored.
  static String name(Class<?> type) {
    var renamed = type.getAnnotation(JsonTypeName.class);
    return renamed == null ? type.getSimpleName() : renamed.value();
  }
}
