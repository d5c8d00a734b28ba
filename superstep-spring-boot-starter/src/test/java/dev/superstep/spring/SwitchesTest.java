package dev.superstep.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;

class SwitchesTest {
  private static final String IMPORTS =
      "/META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";

  private final WebApplicationContextRunner everything = asking(new WebApplicationContextRunner());
  private final ReactiveWebApplicationContextRunner reactive =
      asking(new ReactiveWebApplicationContextRunner());

  private static <R extends AbstractApplicationContextRunner<R, ?, ?>> R asking(R runner) {
    return runner
        .withConfiguration(AutoConfigurations.of(configurations()))
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withPropertyValues(
            "superstep.store.in-memory=true",
            "superstep.resume.enabled=true",
            "superstep.models.fast.url=ollama://localhost:11434/qwen3:8b");
  }

  private AbstractApplicationContextRunner<?, ?, ?> runnerOf(Method bean) {
    return isOf(bean, SuperstepReactiveAutoConfiguration.class) ? reactive : everything;
  }

  private static boolean isOf(Method bean, Class<?> configuration) {
    return bean.getDeclaringClass().equals(configuration);
  }

  /// All that an application gets.
  private static Class<?>[] configurations() {
    var found = Objects.requireNonNull(SwitchesTest.class.getResourceAsStream(IMPORTS));
    try (var lines = new BufferedReader(new InputStreamReader(found, StandardCharsets.UTF_8))) {
      var types = new ArrayList<Class<?>>();
      for (var name : lines.lines().filter(line -> !line.isBlank()).toList()) {
        types.add(Class.forName(name));
      }
      return types.toArray(Class[]::new);
    } catch (IOException | ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  static Stream<Method> beans() {
    return Arrays.stream(configurations())
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> method.isAnnotationPresent(Bean.class))
        .sorted(Comparator.comparing(Method::getName));
  }

  private static String property(Method bean) {
    var condition = bean.getAnnotation(ConditionalOnBooleanProperty.class);
    assertThat(condition).as("the switch of %s", bean.getName()).isNotNull();
    var names = new ArrayList<>(List.of(condition.name()));
    names.addAll(List.of(condition.value()));
    assertThat(names).hasSize(1);
    return names.getFirst();
  }

  @Test
  void an_application_that_asks_for_all_has_all_beans() {
    everything.run(started -> {
      assertThat(started).hasNotFailed();
      var ours = new TreeSet<String>();
      for (var name : started.getBeanDefinitionNames()) {
        if (name.startsWith("superstep") && !name.contains("-")) ours.add(name);
      }
      assertThat(ours).containsExactlyElementsOf(without(SuperstepReactiveAutoConfiguration.class));
    });
    reactive.run(started -> {
      assertThat(started).hasNotFailed();
      assertThat(started.getBeanFactory().getBeanDefinitionNames())
          .containsAll(without(SuperstepWebAutoConfiguration.class))
          .doesNotContain("superstepRunStreams", "superstepPrincipals");
    });
  }

  private static List<String> without(Class<?> configuration) {
    return beans().filter(bean -> !isOf(bean, configuration)).map(Method::getName).toList();
  }

  @ParameterizedTest
  @MethodSource("beans")
  void each_bean_has_a_property_that_switches_it_off(Method bean) {
    var property = property(bean);
    assertThat(property).matches("superstep\\.[a-z-]+\\.enabled");
    var runner = runnerOf(bean);
    runner.run(started -> assertThat(started.containsBean(bean.getName())).isTrue());
    runner
        .withPropertyValues(property + "=false")
        .run(started -> {
          assertThat(started.getStartupFailure()).isNull();
          assertThat(started.containsBean(bean.getName())).isFalse();
        });
  }

  @ParameterizedTest
  @MethodSource("beans")
  void each_bean_gives_way_to_one_of_the_application(Method bean) {
    assertThat(bean.isAnnotationPresent(ConditionalOnMissingBean.class)).isTrue();
  }
}
