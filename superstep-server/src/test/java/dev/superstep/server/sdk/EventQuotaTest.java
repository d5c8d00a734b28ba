package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.server.AgentServer;
import dev.superstep.server.options.Quotas;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.service.LogEntry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A run whose events are more than may be kept.
@Timeout(60)
@Tag("SV10")
class EventQuotaTest {
  private static final long BYTES = 500_000;

  @Test
  void the_stream_ends_with_an_error_and_the_run_ends_as_if_nothing_were() throws Exception {
    var documents = InMemoryServiceStore.open();
    var quotas = Quotas.defaults().withEventBytes(BYTES);
    try (var server =
        AgentServer.on(new InMemoryCheckpointer(), documents)
            .options(ServerOptions.defaults().withQuotas(quotas))
            .serving(FixtureGraphs.all())
            .start(0)) {
      var client = new StreamClient(server::address);
      var run = client.begin("large");

      var stream = client.follow(run);

      var last = stream.getLast();
      assertThat(last.event()).isEqualTo("error");
      assertThat(last.data().path("error").asString()).isEqualTo("StreamTooLong");
      assertThat(last.data().path("message").asString())
          .contains("500,000 bytes", "its state can be read from its thread");
      assertThat(stream.stream().filter(event -> event.event().equals("error"))).hasSize(1);
      var thread = "/threads/" + run.path("thread_id").asString();
      var known = client.get(thread + "/runs/" + run.path("run_id").asString());
      assertThat(known.path("status").asString()).isEqualTo("success");
      var values = client.get(thread + "/state").path("values");
      assertThat(values.path("seen")).hasSize(FixtureGraphs.STEPS);
      assertThat(kept(documents)).isBetween(BYTES / 2, BYTES + 1_000);
    }
  }

  private static long kept(InMemoryServiceStore documents) {
    return documents.read(in -> {
      var run = in.search(DocumentQuery.of(DocumentKind.RUN)).getFirst().id();
      List<LogEntry> entries = in.entries("run/" + run, 0, 1_000);
      return entries.stream()
          .mapToLong(entry -> entry.value().text().getBytes(StandardCharsets.UTF_8).length)
          .sum();
    });
  }
}
