package dev.superstep.build;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import java.util.Set;
import java.util.stream.Stream;

/// The types that a user of a public type can see: in its supertypes, fields, parameters, results
/// and exceptions, type arguments included.
final class PublicSignatures {
  private PublicSignatures() {}

  record Use(String member, JavaClass type) {}

  static Stream<Use> of(JavaClass type) {
    if (!isPublic(type)) {
      return Stream.empty();
    }
    Stream<Use> parents =
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
            .flatMap(parent -> raw(type.getName(), parent));
    Stream<Use> fields =
        type.getFields().stream()
            .filter(field -> isOpen(field.getModifiers()))
            .flatMap(PublicSignatures::ofField);
    Stream<Use> code =
        type.getCodeUnits().stream()
            .filter(unit -> isOpen(unit.getModifiers()))
            .flatMap(PublicSignatures::ofCode);
    return Stream.of(parents, fields, code).flatMap(uses -> uses);
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(PublicSignatures::isPublic).orElse(true);
  }

  private static boolean isOpen(Set<JavaModifier> modifiers) {
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !modifiers.contains(JavaModifier.SYNTHETIC);
  }

  private static Stream<Use> ofField(JavaField field) {
    return raw(field.getFullName(), field.getType());
  }

  private static Stream<Use> ofCode(JavaCodeUnit unit) {
    Stream<JavaType> shown =
        Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream());
    Stream<JavaType> thrown = unit.getExceptionTypes().stream().map(type -> type);
    return Stream.concat(shown, thrown).flatMap(type -> raw(unit.getFullName(), type));
  }

  private static Stream<Use> raw(String member, JavaType type) {
    return type.getAllInvolvedRawTypes().stream().map(raw -> new Use(member, raw));
  }
}
