package dev.superstep.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Outcome;
import dev.superstep.spring.Models;
import dev.superstep.spring.Runs;
import dev.superstep.testkit.ManualClock;
import dev.superstep.tool.Tools;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

@SuperstepTest(
    saying = {"How can I help you?", "Goodbye."},
    at = "2026-05-06T07:08:09Z")
class DeskTest {
  @Autowired Runs runs;
  @Autowired ScriptedModel model;
  @Autowired ManualClock clock;
  @Autowired Checkpointer store;
  @Autowired Models models;
  @Autowired Tools tools;
  @Autowired ChatModel injected;
  @Autowired ObjectProvider<DeskNetwork> network;
  @Autowired ObjectProvider<DataSource> sources;

  @Test
  void the_agent_of_the_application_runs_on_a_script_by_a_clock_that_stands() throws Exception {
    assertThat(runs.ask("desk", "Hello", "t").outcome()).isInstanceOf(Outcome.Completed.class);
    assertThat(model.requests()).hasSize(1);
    assertThat(models.get("whatever")).isSameAs(model).isSameAs(injected);
    var ofModels = runs.graph("desk").history(Optional.empty(), 1, runs.options("t"));
    assertThat(ofModels.getFirst().at()).isEqualTo(Instant.parse("2026-05-06T07:08:09Z"));
    clock.advance(Duration.ofDays(1));
    assertThat(runs.ask("desk", "Bye", "t").outcome()).isInstanceOf(Outcome.Completed.class);
    var later = runs.graph("desk").history(Optional.empty(), 1, runs.options("t"));
    assertThat(later.getFirst().at()).isEqualTo(Instant.parse("2026-05-07T07:08:09Z"));
  }

  @Test
  void threads_are_in_a_strict_store_in_memory_and_only_components_with_tools_are_there() {
    assertThat(store)
        .isInstanceOfSatisfying(
            InMemoryCheckpointer.class, memory -> assertThat(memory.isStrict()).isTrue());
    assertThat(tools.names()).containsExactly("opening_hours");
    assertThat(network.getIfAvailable()).isNull();
    assertThat(sources.getIfAvailable()).isNull();
  }
}
