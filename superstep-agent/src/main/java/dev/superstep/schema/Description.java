package dev.superstep.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Tells a model what a record, one of its components or an argument of a tool means. Goes into the
/// JSON Schema; a component's own description goes before that of its type.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Description {
  /// The text, a sentence or two, as for a colleague.
  String value();
}
