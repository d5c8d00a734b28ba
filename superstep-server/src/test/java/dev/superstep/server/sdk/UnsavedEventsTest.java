package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.json.Json;
import dev.superstep.server.AgentServer;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.ServiceTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Events that the store does not take, once.
@Timeout(120)
@Tag("SV15")
class UnsavedEventsTest {
  private static final long FAILING_NANOS = 300_000_000;

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 19, 20})
  void a_stream_that_ends_has_all_values_although_some_were_not_saved_at_first(int seen)
      throws Exception {
    var marks = "\"" + (seen - 1) + "\"]";
    var store = new OnceFailing(InMemoryServiceStore.open(), entry -> entry.contains(marks));
    try (var server =
        AgentServer.on(new InMemoryCheckpointer(), store).serving(FixtureGraphs.all()).start(0)) {
      var client = new StreamClient(server::address);
      var run = client.begin("counting");

      var stream = client.follow(run);

      assertThat(store.hasFailed.get()).isTrue();
      var last = stream.getLast();
      assertThat(last.event()).isEqualTo("values");
      assertThat(last.data().path("seen")).hasSize(FixtureGraphs.STEPS);
      var thread = "/threads/" + run.path("thread_id").asString();
      var known = client.get(thread + "/runs/" + run.path("run_id").asString());
      assertThat(known.path("status").asString()).isEqualTo("success");
    }
  }

  /// Refuses the first entries of logs of which one fulfils a condition.
  private static final class OnceFailing implements ServiceStore {
    final AtomicBoolean hasFailed = new AtomicBoolean();
    private final ServiceStore store;
    private final Predicate<String> refused;

    OnceFailing(ServiceStore store, Predicate<String> refused) {
      this.store = store;
      this.refused = refused;
    }

    @Override
    public <R> R write(Work<R> work) {
      return store.write(in -> work.apply(checked(in)));
    }

    private ServiceTransaction checked(ServiceTransaction in) {
      return (ServiceTransaction)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {ServiceTransaction.class},
              (_, method, arguments) -> {
                if (method.getName().equals("append")) check((List<?>) arguments[1]);
                try {
                  return method.invoke(in, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    private void check(List<?> entries) {
      boolean isHit = entries.stream().anyMatch(entry -> refused.test(((Json) entry).text()));
      if (!isHit || !hasFailed.compareAndSet(false, true)) return;
      // It takes its time to fail, as one does that cannot be reached; the run goes on meanwhile.
      LockSupport.parkNanos(FAILING_NANOS);
      throw new StoreFailed("test", "it is told to fail once", new java.io.IOException("once"));
    }

    @Override
    public <R> R read(Work<R> work) {
      return store.read(work);
    }

    @Override
    public Watch watch(String topic) {
      return store.watch(topic);
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
