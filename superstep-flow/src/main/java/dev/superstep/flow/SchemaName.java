package dev.superstep.flow;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The name of a type as a state of flows, where its simple name will not do: because another type
/// has it too, or because the type is to be renamed while snapshots of it are kept.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface SchemaName {
  /// A letter, then letters, digits, `_` and `-`.
  String value();
}
