package dev.superstep.testkit;

import static dev.superstep.testkit.History.checkpoint;
import static dev.superstep.testkit.History.hold;
import static dev.superstep.testkit.History.whole;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.checkpoint.ThreadSummary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Lists of threads, as every [CheckpointerCapability.ThreadListing] must make them.
@Tag("T94")
public interface ThreadListingSuite extends StoreUnderTest {
  @Test
  default void threads_are_listed_the_one_written_last_first(CompleteCheckpointer store) {
    assertThat(store.threads(ThreadQuery.newest(9))).isEmpty();
    var a = history(store, "a");
    var b = history(store, "b");
    hold(store, "empty");
    a.commit();
    b.commit();
    assertThat(names(store, ThreadQuery.newest(9))).containsExactly("b", "a");
    a.commit();
    assertThat(names(store, ThreadQuery.newest(9))).containsExactly("a", "b");
    // What graphs inside write does not count.
    History.of(store, b.lease(), new Lineage("b", "g/1/t")).commit();
    assertThat(names(store, ThreadQuery.newest(9))).containsExactly("a", "b");
    assertThat(names(store, ThreadQuery.newest(1))).containsExactly("a");
  }

  @Test
  default void a_thread_is_found_with_its_newest_checkpoint_and_its_holder(
      CompleteCheckpointer store) {
    var history = History.of(store);
    assertThat(store.find("thread")).isEmpty();
    history.commit();
    history.commit(whole("a", 1, "1"));
    var head = store.find("thread").orElseThrow();
    assertThat(head.thread()).isEqualTo("thread");
    assertThat(head.checkpoint()).isEqualTo(checkpoint("c1", Optional.of("c0"), 1));
    assertThat(head.holder().orElseThrow().owner()).isEqualTo("the test");
    assertThat(store.threads(ThreadQuery.newest(9))).containsExactly(head);
    store.release(history.lease());
    assertThat(store.find("thread").orElseThrow().holder()).isEmpty();
    assertThat(store.threads(ThreadQuery.newest(9)).getFirst().holder()).isEmpty();
    hold(store, "thread");
    assertThat(store.find("thread").orElseThrow().holder()).isPresent();
  }

  @Test
  default void threads_are_listed_page_by_page(CompleteCheckpointer store) {
    for (int i = 0; i < 7; i++) history(store, "t" + i).commit();
    var first = names(store, ThreadQuery.newest(3));
    assertThat(first).containsExactly("t6", "t5", "t4");
    assertThat(names(store, ThreadQuery.newest(3).after("t4"))).containsExactly("t3", "t2", "t1");
    assertThat(names(store, ThreadQuery.newest(3).after("t1"))).containsExactly("t0");
    assertThat(names(store, ThreadQuery.newest(3).after("t0"))).isEmpty();
    assertThat(names(store, ThreadQuery.newest(3).after("gone"))).isEmpty();
  }

  @Test
  default void threads_are_found_by_the_graph_of_their_newest_checkpoint_and_by_any_run(
      CompleteCheckpointer store) {
    var a = history(store, "a");
    a.commitAs("run-1");
    a.commitAs("run-2");
    var b = history(store, "b");
    b.commitAs("run-3");
    History.of(store, b.lease(), new Lineage("b", "g/1/t")).commitAs("run-1");
    var c = hold(store, "c");
    var other = other(checkpoint("c0", Optional.empty(), 0, "run-1"));
    store.commit(c, new Commit(Lineage.of("c"), other, List.of()));
    var all = ThreadQuery.newest(9);
    assertThat(names(store, all.of("graph"))).containsExactly("b", "a");
    assertThat(names(store, all.of("another"))).containsExactly("c");
    assertThat(names(store, all.of("none"))).isEmpty();
    assertThat(names(store, all.writtenBy("run-1"))).containsExactly("c", "b", "a");
    assertThat(names(store, all.writtenBy("run-2"))).containsExactly("a");
    assertThat(names(store, all.writtenBy("run-1").of("graph").after("b"))).containsExactly("a");
    assertThat(names(store, all.writtenBy("run"))).isEmpty();
  }

  @Test
  default void threads_are_found_by_the_metadata_of_their_newest_checkpoint_page_by_page(
      CompleteCheckpointer store) {
    var odd = "a \"quoted\" \\ ünï\ncode value: }{";
    for (int i = 0; i < 9; i++) {
      var lease = hold(store, "t" + i);
      var metadata = new LinkedHashMap<String, String>();
      metadata.put("user", i % 2 == 0 ? "ada" : "bob");
      metadata.put("number", "" + i);
      if (i == 4) metadata.put("odd \"name\"", odd);
      var made = with(checkpoint("c0", Optional.empty(), 0), metadata);
      assertThat(store.commit(lease, new Commit(Lineage.of("t" + i), made, List.of()))).isTrue();
    }
    var ada = ThreadQuery.newest(2).where("user", "ada");
    assertThat(names(store, ada)).containsExactly("t8", "t6");
    assertThat(names(store, ada.after("t6"))).containsExactly("t4", "t2");
    assertThat(names(store, ada.after("t3"))).containsExactly("t2", "t0");
    assertThat(names(store, ada.after("t0"))).isEmpty();
    var all = ThreadQuery.newest(9);
    assertThat(names(store, all.where("number", "3"))).containsExactly("t3");
    assertThat(names(store, all.where("user", "ada").where("number", "3"))).isEmpty();
    assertThat(names(store, all.where("user", "ada").where("number", "2"))).containsExactly("t2");
    assertThat(names(store, all.where("odd \"name\"", odd))).containsExactly("t4");
    assertThat(names(store, all.where("user", "a"))).isEmpty();
    assertThat(names(store, all.where("use", "ada"))).isEmpty();
    assertThat(names(store, all.where("user' or '1'='1", "ada"))).isEmpty();
    assertThat(names(store, all.where("user", "ada").of("none"))).isEmpty();
    // What a thread had before does not count.
    var lease = hold(store, "t10");
    var lineage = Lineage.of("t10");
    var first = with(checkpoint("c0", Optional.empty(), 0), Map.of("user", "eve"));
    var second = with(checkpoint("c1", Optional.of("c0"), 1), Map.of());
    store.commit(lease, new Commit(lineage, first, List.of()));
    assertThat(names(store, all.where("user", "eve"))).containsExactly("t10");
    store.commit(lease, new Commit(lineage, second, List.of()));
    assertThat(names(store, all.where("user", "eve"))).isEmpty();
  }

  private static Checkpoint with(Checkpoint one, Map<String, String> metadata) {
    return new Checkpoint(
        one.format(),
        one.id(),
        one.parent(),
        one.generation(),
        one.step(),
        one.source(),
        one.at(),
        one.run(),
        one.graph(),
        one.graphHash(),
        one.progress(),
        metadata);
  }

  private static Checkpoint other(Checkpoint one) {
    return new Checkpoint(
        one.format(),
        one.id(),
        one.parent(),
        one.generation(),
        one.step(),
        one.source(),
        one.at(),
        one.run(),
        "another",
        one.graphHash(),
        one.progress(),
        one.metadata());
  }

  private static List<String> names(CompleteCheckpointer store, ThreadQuery query) {
    return store.threads(query).stream().map(ThreadSummary::thread).toList();
  }

  private static History history(CompleteCheckpointer store, String thread) {
    return History.of(store, hold(store, thread), Lineage.of(thread));
  }
}
