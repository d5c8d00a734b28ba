package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.server.AgentServer;
import dev.superstep.server.options.RunLimits;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.store.InMemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Runs that take longer than a run may.
@Timeout(60)
@Tag("SV10")
class TimeLimitTest {
  @Test
  void a_run_that_takes_too_long_ends_by_timeout_and_can_be_gone_on_with() throws Exception {
    var limits = RunLimits.defaults().withLongest(Duration.ofMillis(300));
    try (var server =
        AgentServer.on(new InMemoryCheckpointer(), InMemoryServiceStore.open())
            .options(ServerOptions.defaults().withRuns(limits))
            .memory(InMemoryStore.open())
            .serving(FixtureGraphs.all())
            .start(0)) {
      var client = new StreamClient(server::address);
      var run = client.begin("gated", Map.of("gate", "late"));

      var stream = client.follow(run);

      assertThat(stream.stream().filter(event -> event.event().equals("error"))).isEmpty();
      var thread = "/threads/" + run.path("thread_id").asString();
      var ended = client.get(thread + "/runs/" + run.path("run_id").asString());
      assertThat(ended.path("status").asString()).isEqualTo("timeout");
      assertThat(client.get(thread).path("status").asString()).isEqualTo("interrupted");
      client.put(
          "/store/items",
          Map.of("namespace", List.of("gates"), "key", "late", "value", Map.of("open", true)));
      client.post(thread + "/runs/wait", Map.of("assistant_id", "gated"));
      assertThat(client.get(thread).path("status").asString()).isEqualTo("idle");
    }
  }
}
