package dev.superstep.flow;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The name of a type as a state of flows. Needed if another type has the same simple name, or to
/// rename the type while its snapshots exist.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface SchemaName {
  /// A letter, then letters, digits, `_` and `-`.
  String value();
}
