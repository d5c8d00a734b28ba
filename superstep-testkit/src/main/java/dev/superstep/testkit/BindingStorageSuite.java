package dev.superstep.testkit;

import static dev.superstep.testkit.History.hold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.ThreadBinding;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Tests of [CheckpointerCapability.BindingStorage]: a store keeps data of a checkpointer that
/// wraps it.
public interface BindingStorageSuite extends StoreUnderTest {
  @Test
  default void the_binding_of_a_thread_belongs_to_that_thread_alone(CompleteCheckpointer store) {
    assertThat(store.binding("thread")).isEqualTo(new ThreadBinding(Optional.empty(), true));
    var history = History.of(store);
    var lease = history.lease();
    assertThat(store.binding("thread")).isEqualTo(new ThreadBinding(Optional.empty(), true));
    store.bind(lease, "one");
    assertThat(store.binding("thread")).isEqualTo(new ThreadBinding(Optional.of("one"), true));
    history.commit();
    store.bind(lease, "two \ud83d\ude00");
    var bound = new ThreadBinding(Optional.of("two \ud83d\ude00"), false);
    assertThat(store.binding("thread")).isEqualTo(bound);
    if (store.can(CheckpointerCapability.ThreadForks.class)) {
      var copy = hold(store, "copy");
      assertThat(store.copy(copy, "thread")).isTrue();
      assertThat(store.binding("copy")).isEqualTo(new ThreadBinding(Optional.empty(), false));
    }
    store.release(lease);
    assertThat(store.binding("thread")).isEqualTo(bound);
    var again = hold(store, "thread");
    assertThatThrownBy(() -> store.bind(lease, "three")).isInstanceOf(LeaseLost.class);
    assertThat(store.binding("thread")).isEqualTo(bound);
    if (!store.can(CheckpointerCapability.ThreadRemoval.class)) return;
    store.delete(again);
    assertThat(store.binding("thread")).isEqualTo(new ThreadBinding(Optional.empty(), true));
  }
}
