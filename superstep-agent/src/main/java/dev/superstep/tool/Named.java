package dev.superstep.tool;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Names an argument of a tool that is a method. Needed only where classes are compiled without
/// `-parameters`, or the model should see another name than the code.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Named {
  /// The name that the model sees.
  String value();
}
