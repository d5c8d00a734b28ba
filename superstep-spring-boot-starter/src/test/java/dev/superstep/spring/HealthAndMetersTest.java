package dev.superstep.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Prices;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.Drain;
import dev.superstep.message.Message;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.run.Input;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Optional;
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

  @Test
  void meters_count_the_cost_and_the_tokens_of_models_and_nothing_of_a_replay() {
    var paid =
        ScriptedModel.replying(
            ScriptedModel.reply(
                Message.assistant("It is on its way."),
                new Usage(120, 20, 30, 0),
                ChatReply.Finish.STOP));
    Prices prices = (_, use) -> Optional.of(BigDecimal.valueOf(use.total(), 3));
    var agent =
        Agent.named("paid")
            .model(paid)
            .budget(Budget.unlimited().money("5.00", "USD", prices))
            .build();
    context
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withBean("paid", Agent.class, () -> agent)
        .withPropertyValues("superstep.store.in-memory=true")
        .run(started -> {
          var runs = started.getBean(Runs.class);
          runs.ask("paid", "Where is it?", "t1").outcome();
          runs.resume("t1").outcome();
          var meters = started.getBean(MeterRegistry.class);
          var cost = meters.get("superstep.cost").tag("currency", "USD").counter();
          assertThat(cost.count()).isEqualTo(0.15);
          var tokens = meters.get("superstep.tokens").tag("model", cost.getId().getTag("model"));
          assertThat(tokens.tag("type", "input").counter().count()).isEqualTo(120);
          assertThat(
                  meters.get("superstep.tokens").tag("type", "output").counters().stream()
                      .mapToDouble(counter -> counter.count())
                      .sum())
              .isEqualTo(30);
          assertThat(meters.get("superstep.model.calls").tag("agent", "paid").timer().count())
              .isEqualTo(1);
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
