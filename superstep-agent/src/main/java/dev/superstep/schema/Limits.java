package dev.superstep.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Bounds of a record component, or of an argument of a tool, in its JSON Schema. Small models
/// ramble; a bound on each text ends that where the model is held to the schema, and is checked
/// everywhere else.
///
/// Bounds of length hold for texts, bounds of value for numbers, bounds of size for lists and sets.
/// On a list of texts or numbers, length and value hold for each element. All bounds are inclusive.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Limits {
  /// The fewest characters of a text.
  int minLength() default 0;

  /// The most characters of a text.
  int maxLength() default Integer.MAX_VALUE;

  /// The fewest elements of a list or set.
  int minItems() default 0;

  /// The most elements of a list or set.
  int maxItems() default Integer.MAX_VALUE;

  /// The smallest number.
  long min() default Long.MIN_VALUE;

  /// The largest number.
  long max() default Long.MAX_VALUE;
}
