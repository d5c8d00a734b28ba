package dev.superstep.testkit;

import static dev.superstep.testkit.History.LINEAGE;
import static dev.superstep.testkit.History.NONE;
import static dev.superstep.testkit.History.checkpoint;
import static dev.superstep.testkit.History.hold;
import static dev.superstep.testkit.History.items;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.ChannelChange.Change;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.checkpoint.TaskRecord.SavedSend;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.checkpoint.ThreadRecord;
import dev.superstep.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Values that a store may keep apart because they are large, as every [Checkpointer] must do it.
/// Part of [CheckpointerSuite].
public interface LargeValuesSuite extends StoreUnderTest {
  @Test
  default void large_values_read_back_from_every_place(CompleteCheckpointer store) {
    var large = List.of(large('a'), large('b'), Json.of("small"), large('a'));
    var lease = hold(store, "thread");
    saveEverywhere(store, lease, large);
    holds(store, LINEAGE, "c1", large);
    // Whose values are shared, and outlive the thread that they are of.
    var copy = hold(store, "copy");
    assertThat(store.copy(copy, "thread")).isTrue();
    var forked = hold(store, "fork");
    var made = with(checkpoint("f0", Optional.empty(), 1), large);
    var fork = new Fork(LINEAGE, "c1", Lineage.of("fork"), made, NONE);
    assertThat(store.fork(forked, fork)).isTrue();
    store.delete(lease);
    holds(store, Lineage.of("copy"), "c1", large);
    channelsHold(store, Lineage.of("fork"), large);
    store.delete(copy);
    channelsHold(store, Lineage.of("fork"), large);
    assertThat(store.latest(Lineage.of("fork")).orElseThrow().checkpoint()).isEqualTo(made);
  }

  @Test
  default void large_values_stay_while_something_needs_them(CompleteCheckpointer store) {
    var lease = hold(store, "thread");
    var first = List.of(large('a'), large('b'), large('c'), large('d'));
    saveEverywhere(store, lease, first);
    var second = List.of(large('a'), large('e'), large('c'), large('f'));
    var parent = Optional.of("c1");
    var changes = List.of(changed("whole", 3, second.get(1)), items("list", 3, 1, second.get(3)));
    assertThat(
            store.commit(
                lease, new Commit(LINEAGE, with(checkpoint("c2", parent, 2), second), changes)))
        .isTrue();
    assertThat(store.prune(lease, Prune.keepLast(1))).isEqualTo(2);
    var latest = store.latest(LINEAGE).orElseThrow();
    assertThat(latest.checkpoint().progress().next().getFirst().argument())
        .contains(second.getFirst());
    var values = History.values(latest);
    assertThat(Objects.requireNonNull(values.get("whole")).content())
        .isEqualTo(new Content.Whole(second.get(1)));
    assertThat(Objects.requireNonNull(values.get("list")).content())
        .isEqualTo(new Content.Items(List.of(first.get(1), second.get(3))));
  }

  @Test
  default void a_text_that_looks_like_a_reference_to_a_large_value_reads_back_unchanged(
      CompleteCheckpointer store) throws Exception {
    var lease = hold(store, "thread");
    var large = large('a');
    var digest =
        HexFormat.of()
            .formatHex(
                MessageDigest.getInstance("SHA-256")
                    .digest(large.text().getBytes(StandardCharsets.UTF_8)));
    var said =
        List.of(large, Json.of("blob1:" + digest), Json.of("blob1:" + "0".repeat(64)), Json.of(1));
    saveEverywhere(store, lease, said);
    holds(store, LINEAGE, "c1", said);
    store.prune(lease, Prune.keepLast(1));
    holds(store, LINEAGE, "c1", said);
  }

  private static Json large(char fill) {
    return Json.of(String.valueOf(fill).repeat(300_000));
  }

  private static ChannelChange changed(String channel, long version, Json value) {
    return new ChannelChange(channel, version, new Change.Whole(value));
  }

  private static Checkpoint with(Checkpoint c, List<Json> arguments) {
    var due =
        arguments.stream()
            .<PendingNode>map(
                value -> new PendingNode("n", new Activation.Sent("from"), Optional.of(value)))
            .toList();
    return new Checkpoint(
        c.format(),
        c.id(),
        c.parent(),
        c.generation(),
        c.step(),
        c.source(),
        c.at(),
        c.run(),
        c.graph(),
        c.graphHash(),
        Progress.of(due),
        c.metadata());
  }

  private static TaskRecord finished(List<Json> values) {
    var writes =
        List.<SavedWrite>of(
            new SavedWrite.Put("whole", values.get(0)),
            new SavedWrite.Overwrite("list", values.get(1)));
    var sends = values.stream().map(value -> new SavedSend("n", value)).toList();
    return new TaskRecord("t1", "n", new End.Finished(writes, Optional.empty(), sends));
  }

  private static TaskRecord waiting(List<Json> values) {
    var asked = new Interrupt("i", "t2", "n", 0, "", "q", "String", values.get(0));
    return new TaskRecord("t2", "n", new End.Waiting(List.of(asked)));
  }

  private static void saveEverywhere(CompleteCheckpointer store, Lease lease, List<Json> values) {
    var none = checkpoint("c0", Optional.empty(), 0);
    var begun = List.of(changed("whole", 1, values.get(3)), items("list", 1, 0, values.get(0)));
    assertThat(store.commit(lease, new Commit(LINEAGE, none, begun))).isTrue();
    var changes =
        List.of(
            changed("whole", 2, values.get(0)), items("list", 2, 0, values.get(1), values.get(2)));
    var at = with(checkpoint("c1", Optional.of("c0"), 1), values);
    assertThat(store.commit(lease, new Commit(LINEAGE, at, changes))).isTrue();
    var finished = finished(values);
    assertThat(store.saveTask(lease, LINEAGE, "c1", finished, NONE)).isEqualTo(finished);
    // The first one stands.
    assertThat(store.saveTask(lease, LINEAGE, "c1", waiting1(values), NONE)).isEqualTo(finished);
    store.saveTask(lease, LINEAGE, "c1", waiting(values), NONE);
    var step = new StepRecord("t1", "k", values.get(1));
    assertThat(store.saveStep(lease, LINEAGE, "c1", step)).isEqualTo(step);
    var other = new StepRecord("t1", "k", values.get(2));
    assertThat(store.saveStep(lease, LINEAGE, "c1", other)).isEqualTo(step);
    var answer = List.of(new Answer("i", values.get(0)));
    assertThat(store.answer(lease, LINEAGE, "c1", answer, NONE)).isTrue();
  }

  private static TaskRecord waiting1(List<Json> values) {
    return new TaskRecord("t1", "n", waiting(values).end());
  }

  private static void holds(CompleteCheckpointer store, Lineage at, String id, List<Json> values) {
    channelsHold(store, at, values);
    var made = with(checkpoint("c1", Optional.of("c0"), 1), values);
    assertThat(store.latest(at).orElseThrow().checkpoint()).isEqualTo(made);
    assertThat(store.page(at, Optional.empty(), 1)).containsExactly(made);
    assertThat(store.find(at.thread()).orElseThrow().checkpoint()).isEqualTo(made);
    assertThat(store.threads(ThreadQuery.newest(9)))
        .filteredOn(head -> head.thread().equals(at.thread()))
        .allMatch(head -> head.checkpoint().equals(made));
    var tasks = List.of(finished(values), waiting(values));
    var steps = List.of(new StepRecord("t1", "k", values.get(1)));
    var answers = List.of(new Answer("i", values.get(0)));
    assertThat(store.tasks(at, id)).isEqualTo(tasks);
    assertThat(store.steps(at, id)).isEqualTo(steps);
    assertThat(store.answers(at, id)).isEqualTo(answers);
    assertThat(store.threadRecord(at))
        .contains(new ThreadRecord(store.latest(at).orElseThrow(), tasks, steps, answers));
    assertThat(store.byId(at, id)).isEqualTo(store.latest(at));
  }

  private static void channelsHold(CompleteCheckpointer store, Lineage at, List<Json> values) {
    var kept = History.values(store.latest(at).orElseThrow());
    assertThat(Objects.requireNonNull(kept.get("whole")).content())
        .isEqualTo(new Content.Whole(values.get(0)));
    assertThat(Objects.requireNonNull(kept.get("list")).content())
        .isEqualTo(new Content.Items(List.of(values.get(1), values.get(2))));
  }
}
