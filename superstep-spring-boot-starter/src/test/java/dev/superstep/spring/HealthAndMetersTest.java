package dev.superstep.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.Drain;
import dev.superstep.run.Input;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class HealthAndMetersTest {
  @TempDir Path folder;

  private final ApplicationContextRunner context =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  SuperstepAutoConfiguration.class,
                  SuperstepHealthAutoConfiguration.class,
                  SuperstepMetricsAutoConfiguration.class))
          .withUserConfiguration(Shop.class);

  @Test
  void health_is_that_of_the_store_and_tells_when_no_runs_are_taken() {
    context
        .withPropertyValues("superstep.store.file=" + folder.resolve("threads.db"))
        .run(started -> {
          var indicator = started.getBean(StoreHealthIndicator.class);
          assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
          assertThat(indicator.health().getDetails())
              .containsEntry("store", SqliteCheckpointer.class.getSimpleName())
              .containsEntry("running", 0);
          started.getBean(Drain.class).start();
          assertThat(indicator.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
          started.getBean(Checkpointer.class).close();
          assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
        });
  }

  @Test
  void meters_count_runs_supersteps_calls_and_tokens_without_the_names_of_threads() {
    context
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withPropertyValues("superstep.store.in-memory=true")
        .run(started -> {
          var runs = started.getBean(Runs.class);
          runs.ask("desk", "Where is my order?", "secret-thread").outcome();
          runs.ask("desk", "Pay me back.", "other-thread").outcome();
          runs.invoke("rounds", Input.none(), "third-thread");
          var meters = started.getBean(MeterRegistry.class);
          assertThat(meters.get("superstep.runs").tags("graph", "desk").timers())
              .extracting(timer -> timer.getId().getTag("outcome"))
              .containsExactlyInAnyOrder("completed", "waiting");
          assertThat(meters.get("superstep.supersteps").tag("graph", "rounds").counter().count())
              .isEqualTo(5);
          assertThat(meters.get("superstep.tool.calls").tag("tool", "find_order").timer().count())
              .isEqualTo(1);
          assertThat(meters.get("superstep.questions").tag("graph", "desk").counter().count())
              .isEqualTo(1);
          assertThat(meters.get("superstep.model.calls").timer().count()).isEqualTo(3);
          assertThat(meters.get("superstep.tokens").tag("type", "output").counter()).isNotNull();
          assertThat(meters.get("superstep.runs.active").gauge().value()).isZero();
          assertThat(tags(meters)).noneMatch(tag -> tag.contains("thread"));
        });
  }

  private static Set<String> tags(MeterRegistry meters) {
    return meters.getMeters().stream()
        .map(Meter::getId)
        .flatMap(id -> id.getTags().stream())
        .map(Tag::getValue)
        .collect(Collectors.toSet());
  }
}
