package dev.superstep.tool;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Makes a method a tool: [Tools#from]. Its parameters are the arguments.
///
/// ```java
/// @ToolMethod("Finds an order by its number.")
/// public Order find(@Description("As on the bill.") int number) { ... }
/// ```
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ToolMethod {
  /// Tells the model when to use it.
  String value();

  /// The name of the tool; that of the method in snake case unless set.
  String name() default "";
}
