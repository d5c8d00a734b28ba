package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.ServiceTransaction;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class InMemoryServiceStoreTest implements ServiceStoreSuite {
  @Override
  public ServiceStore fresh() {
    return InMemoryServiceStore.open();
  }

  @Test
  void its_time_is_that_of_its_clock() {
    var clock = ManualClock.at("2026-01-02T03:04:05.123456789Z");
    try (var store = InMemoryServiceStore.open(clock)) {
      assertThat(store.<Instant>write(ServiceTransaction::now))
          .isEqualTo("2026-01-02T03:04:05.123456Z");
      clock.advance(Duration.ofDays(1));
      assertThat(store.<Instant>read(ServiceTransaction::now))
          .isEqualTo("2026-01-03T03:04:05.123456Z");
    }
  }
}
