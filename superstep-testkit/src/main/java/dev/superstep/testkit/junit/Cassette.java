package dev.superstep.testkit.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// On a parameter of a test with [SuperstepExtension]: a `ChatModel` that says what a real model
/// said once, or a [ToolCassette] with what real tools returned.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Cassette {
  /// Its name: the replies of models are in `src/test/resources/cassettes/<name>.jsonl`, the
  /// results of tools in `<name>.tools.jsonl`.
  String value();
}
