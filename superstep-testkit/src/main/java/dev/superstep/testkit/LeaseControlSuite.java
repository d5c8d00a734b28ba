package dev.superstep.testkit;

import static dev.superstep.testkit.History.hold;
import static dev.superstep.testkit.History.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.LeaseLost;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Control of leases from outside, as every [CheckpointerCapability.LeaseControl] must do it.
public interface LeaseControlSuite extends StoreUnderTest {
  /// Longer than the millisecond that a lease lasts here, whatever the clocks show.
  Duration LAPSED = Duration.ofMillis(50);

  @Test
  default void whoever_holds_a_thread_learns_that_it_is_to_stop(CompleteCheckpointer store) {
    assertThat(store.requestCancel("thread")).isFalse();
    var first = hold(store, "thread");
    assertThat(store.renew(first, Duration.ofHours(1))).isFalse();
    assertThat(store.requestCancel("thread")).isTrue();
    assertThat(store.requestCancel("other")).isFalse();
    assertThat(store.renew(first, Duration.ofHours(1))).isTrue();
    assertThat(store.renew(first, Duration.ofHours(1))).isTrue();
    store.release(first);
    assertThat(store.requestCancel("thread")).isFalse();
    var second = hold(store, "thread");
    assertThat(store.renew(second, Duration.ofHours(1))).isFalse();
  }

  @Test
  default void a_request_to_cancel_reaches_a_holder_whose_time_was_over_for_a_moment(
      CompleteCheckpointer store) {
    var history = History.of(store);
    history.commit(whole("a", 1, "1"));
    store.renew(history.lease(), Duration.ofMillis(1));
    long until = System.nanoTime() + LAPSED.toNanos();
    while (System.nanoTime() < until) Thread.onSpinWait();
    assertThat(store.requestCancel("thread")).isTrue();
    assertThat(store.renew(history.lease(), Duration.ofHours(1))).isTrue();
  }

  @Test
  default void a_request_to_cancel_is_forgotten_when_another_takes_the_thread(
      CompleteCheckpointer store) {
    var history = History.of(store);
    // Of a thread of which nothing is kept, the store might keep no request either.
    history.commit(whole("a", 1, "1"));
    assertThat(store.requestCancel("thread")).isTrue();
    store.release(history.lease());
    var second = hold(store, "thread");
    assertThat(store.renew(second, Duration.ofHours(1))).isFalse();
    assertThat(store.requestCancel("thread")).isTrue();
    store.renew(second, Duration.ofMillis(1));
    var third = LeaseSuite.takeOver(store, "thread");
    assertThat(store.renew(third, Duration.ofHours(1))).isFalse();
    assertThat(store.requestCancel("thread")).isTrue();
    store.release(third);
    var acquired = store.acquireThread("thread", "me", Duration.ofHours(1));
    assertThat(store.renew(acquired.lease(), Duration.ofHours(1))).isFalse();
  }

  @Test
  default void a_lease_that_is_broken_is_lost_and_the_thread_is_free(CompleteCheckpointer store) {
    assertThat(store.breakLease("thread")).isFalse();
    var history = History.of(store);
    history.commit(whole("a", 1, "1"));
    assertThat(store.requestCancel("thread")).isTrue();
    assertThat(store.breakLease("thread")).isTrue();
    assertThatThrownBy(() -> store.renew(history.lease(), Duration.ofHours(1)))
        .isInstanceOf(LeaseLost.class);
    assertThat(store.breakLease("thread")).isFalse();
    var second = hold(store, "thread");
    assertThat(second.token()).isGreaterThan(history.lease().token());
    assertThat(store.renew(second, Duration.ofHours(1))).isFalse();
    history.agrees();
    // Of which nothing is kept.
    var bare = hold(store, "bare");
    assertThat(store.breakLease("bare")).isTrue();
    store.release(bare);
    assertThat(hold(store, "bare").token()).isGreaterThan(bare.token());
  }
}
