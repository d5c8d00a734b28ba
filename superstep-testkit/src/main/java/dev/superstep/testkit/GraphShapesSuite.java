package dev.superstep.testkit;

import static dev.superstep.testkit.History.LINEAGE;
import static dev.superstep.testkit.History.checkpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.Commit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The shapes of graphs, as every [CheckpointerCapability.GraphShapes] must keep them.
public interface GraphShapesSuite extends StoreUnderTest {
  @Test
  default void the_shape_of_a_graph_is_saved_once(CompleteCheckpointer store) {
    var lease = History.hold(store, LINEAGE.thread());
    var first = new Commit(LINEAGE, checkpoint("c0", Optional.empty(), 0), List.of());
    assertThat(store.described("graph", "hash")).isEmpty();
    assertThat(store.commit(lease, first)).isTrue();
    assertThat(store.described("graph", "hash")).isEmpty();
    var second = new Commit(LINEAGE, checkpoint("c1", Optional.of("c0"), 1), List.of());
    assertThat(store.commit(lease, second.of("{\"nodes\":[1]}"))).isTrue();
    // Refused, so it does not tell anything; nor does one that comes later.
    assertThat(store.commit(lease, first.of("{\"nodes\":[2]}"))).isFalse();
    var third = new Commit(LINEAGE, checkpoint("c2", Optional.of("c1"), 2), List.of());
    assertThat(store.commit(lease, third.of("{\"nodes\":[3]}"))).isTrue();
    assertThat(store.described("graph", "hash")).contains("{\"nodes\":[1]}");
    assertThat(store.described("graph", "other")).isEmpty();
    assertThat(store.described("other", "hash")).isEmpty();
    if (store.can(CheckpointerCapability.ThreadRemoval.class)) store.delete(lease);
    assertThat(store.described("graph", "hash")).contains("{\"nodes\":[1]}");
  }
}
