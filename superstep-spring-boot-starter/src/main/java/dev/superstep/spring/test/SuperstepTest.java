package dev.superstep.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;
import org.springframework.boot.test.context.SpringBootTestContextBootstrapper;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/// Starts the agents and graphs of an application, and of its components the configurations and
/// those with tools, in a test. Threads and memory are kept in memory, where values must be what a
/// database would give back; every model of the application is one
/// [dev.superstep.model.ScriptedModel]; the clock is a [dev.superstep.testkit.ManualClock]. These
/// beans can be injected into the test.
///
/// ```java
/// @SuperstepTest(saying = "How can I help you?")
/// class SupportTest {
///   @Autowired Runs runs;
///
///   @Test
///   void it_greets() throws Exception {
///     assertThat(runs.ask("support", "Hello", "t").outcome())
///         .isInstanceOf(Outcome.Completed.class);
///   }
/// }
/// ```
///
/// A model with a rule is a bean of the test: `@Bean ScriptedModel model()` in a nested
/// `@TestConfiguration`. Needs `superstep-testkit` and `spring-boot-starter-test`.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(SpringBootTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(SuperstepTypeFilter.class)
@ImportAutoConfiguration
@PropertyMapping("superstep.test")
public @interface SuperstepTest {
  /// The replies of the model, in order; it fails when they are used up.
  String[] saying() default {};

  /// A file with the replies of the model, as `scripted://FILE` reads it.
  String script() default "";

  /// The time at which the clock stands when the test starts.
  String at() default "2026-01-01T00:00:00Z";

  /// More components that the test needs.
  @PropertyMapping(skip = PropertyMapping.Skip.YES)
  Filter[] includeFilters() default {};

  /// Components that the test must not have.
  @PropertyMapping(skip = PropertyMapping.Skip.YES)
  Filter[] excludeFilters() default {};

  /// Finds configurations and components with tools without naming them, unless false.
  @PropertyMapping(skip = PropertyMapping.Skip.YES)
  boolean useDefaultFilters() default true;

  /// Auto-configurations that the test must not have.
  @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
  @PropertyMapping(skip = PropertyMapping.Skip.YES)
  Class<?>[] excludeAutoConfiguration() default {};
}
