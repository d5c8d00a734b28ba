package dev.superstep.testkit;

import static dev.superstep.testkit.History.LINEAGE;
import static dev.superstep.testkit.History.NONE;
import static dev.superstep.testkit.History.checkpoint;
import static dev.superstep.testkit.History.items;
import static dev.superstep.testkit.History.json;
import static dev.superstep.testkit.History.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.checkpoint.TaskRecord.SavedSend;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests of storing how tasks ended, their steps and their answers. Part of [CheckpointerSuite].
public interface TasksSuite extends StoreUnderTest {
  @Test
  default void a_task_record_reads_back_unchanged(Checkpointer store) {
    var lease = History.hold(store, LINEAGE.thread());
    var writes =
        List.<SavedWrite>of(
            new SavedWrite.Put("a", json("{\"x\":[1,null]}")),
            new SavedWrite.Overwrite("b", Json.ofNull()),
            new SavedWrite.Remove("c", "key"));
    var sends =
        List.of(
            new SavedSend("judge", json("7")),
            new SavedSend("judge", json("8"), Optional.of(Duration.ofSeconds(3))));
    var interrupt = new Interrupt("i", "t2", "ask", 0, "", "refund", "Decision", json("{\"n\":1}"));
    var tasks =
        List.of(
            new TaskRecord("t1", "n", new End.Finished(writes, Optional.empty(), sends)),
            new TaskRecord(
                "t0", "n", new End.Finished(List.of(), Optional.of(List.of()), List.of())),
            new TaskRecord("t2", "ask", new End.Waiting(List.of(interrupt))),
            failed("t3", "the \"model\" is away"));
    for (var task : tasks)
      assertThat(store.saveTask(lease, LINEAGE, "c0", task, NONE)).isEqualTo(task);
    assertThat(store.tasks(LINEAGE, "c0")).isEqualTo(tasks);
    assertThat(store.tasks(LINEAGE, "c1")).isEmpty();
  }

  @Test
  @Tag("T93")
  default void the_first_result_of_a_task_wins(Checkpointer store) {
    var lease = History.hold(store, LINEAGE.thread());
    var first = finished("t", "1");
    assertThat(store.saveTask(lease, LINEAGE, "c0", first, NONE)).isEqualTo(first);
    assertThat(store.saveTask(lease, LINEAGE, "c0", finished("t", "2"), NONE)).isEqualTo(first);
    assertThat(store.saveTask(lease, LINEAGE, "c0", failed("t", "late"), NONE)).isEqualTo(first);
    assertThat(store.tasks(LINEAGE, "c0")).containsExactly(first);
  }

  @Test
  @Tag("T93")
  default void a_task_that_waited_or_failed_is_replaced(Checkpointer store) {
    var lease = History.hold(store, LINEAGE.thread());
    store.saveTask(
        lease, LINEAGE, "c0", new TaskRecord("t", "n", new End.Waiting(List.of())), NONE);
    store.saveTask(lease, LINEAGE, "c0", finished("u", "1"), NONE);
    var failed = failed("t", "no");
    assertThat(store.saveTask(lease, LINEAGE, "c0", failed, NONE)).isEqualTo(failed);
    assertThat(store.tasks(LINEAGE, "c0")).contains(failed).hasSize(2);
    var end = finished("t", "2");
    assertThat(store.saveTask(lease, LINEAGE, "c0", end, NONE)).isEqualTo(end);
    assertThat(store.tasks(LINEAGE, "c0")).containsExactlyInAnyOrder(end, finished("u", "1"));
  }

  @Test
  default void concurrent_saves_lose_nothing(Checkpointer store) throws Exception {
    var lease = History.hold(store, LINEAGE.thread());
    ConcurrentCalls.run(
        50, i -> store.saveTask(lease, LINEAGE, "c0", finished("t" + i, "" + i), NONE));
    var expected = IntStream.range(0, 50).mapToObj(i -> finished("t" + i, "" + i)).toList();
    assertThat(store.tasks(LINEAGE, "c0")).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  default void all_concurrent_writers_of_a_task_result_learn_which_one_won(Checkpointer store)
      throws Exception {
    var lease = History.hold(store, LINEAGE.thread());
    var told =
        ConcurrentCalls.run(
            20, i -> store.saveTask(lease, LINEAGE, "c0", finished("t", "" + i), NONE));
    assertThat(Set.copyOf(told)).containsExactlyElementsOf(store.tasks(LINEAGE, "c0"));
  }

  @Test
  default void the_first_result_of_a_step_wins_and_may_be_null(Checkpointer store) {
    var lease = History.hold(store, LINEAGE.thread());
    var mail = new StepRecord("t", "mail", json("{\"n\":1}"));
    var pay = new StepRecord("t", "pay", Json.ofNull());
    var other = new StepRecord("u", "mail", json("3"));
    assertThat(store.saveStep(lease, LINEAGE, "c0", mail)).isEqualTo(mail);
    assertThat(store.saveStep(lease, LINEAGE, "c0", pay)).isEqualTo(pay);
    assertThat(store.saveStep(lease, LINEAGE, "c0", other)).isEqualTo(other);
    assertThat(store.saveStep(lease, LINEAGE, "c0", new StepRecord("t", "mail", json("2"))))
        .isEqualTo(mail);
    assertThat(store.saveStep(lease, LINEAGE, "c0", new StepRecord("t", "pay", json("2"))))
        .isEqualTo(pay);
    assertThat(store.steps(LINEAGE, "c0")).containsExactly(mail, pay, other);
    assertThat(store.steps(LINEAGE, "c1")).isEmpty();
  }

  @Test
  default void all_concurrent_writers_of_a_step_result_learn_which_one_won(Checkpointer store)
      throws Exception {
    var lease = History.hold(store, LINEAGE.thread());
    var told =
        ConcurrentCalls.run(
            20,
            i -> store.saveStep(lease, LINEAGE, "c0", new StepRecord("t", "mail", json("" + i))));
    assertThat(Set.copyOf(told)).containsExactlyElementsOf(store.steps(LINEAGE, "c0"));
  }

  @Test
  default void records_of_early_tasks_are_found_with_their_later_checkpoint(Checkpointer store) {
    var history = History.of(store);
    var lease = history.lease();
    store.saveTask(lease, LINEAGE, "c0", finished("ahead", "1"), NONE);
    store.saveStep(lease, LINEAGE, "c0", new StepRecord("ahead", "mail", json("1")));
    assertThat(store.latest(LINEAGE)).isEmpty();
    history.commit(whole("a", 1, "1"));
    store.saveTask(lease, LINEAGE, "c2", finished("further", "2"), NONE);
    history.commit(whole("a", 2, "2"));
    history.commit();
    history.agrees();
    assertThat(store.tasks(LINEAGE, "c0")).containsExactly(finished("ahead", "1"));
    assertThat(store.steps(LINEAGE, "c0"))
        .containsExactly(new StepRecord("ahead", "mail", json("1")));
    assertThat(store.tasks(LINEAGE, "c1")).isEmpty();
    assertThat(store.tasks(LINEAGE, "c2")).containsExactly(finished("further", "2"));
  }

  @Test
  default void the_first_answer_wins_and_may_be_null(Checkpointer store) {
    var lease = History.hold(store, LINEAGE.thread());
    assertThat(store.answer(lease, LINEAGE, "c0", List.of(new Answer("q1", Json.ofNull())), NONE))
        .isTrue();
    assertThat(store.answer(lease, LINEAGE, "c0", List.of(new Answer("q1", json("1"))), NONE))
        .isFalse();
    assertThat(store.answer(lease, LINEAGE, "c0", List.of(new Answer("q2", json("2"))), NONE))
        .isTrue();
    assertThat(store.answers(LINEAGE, "c0"))
        .containsExactly(new Answer("q1", Json.ofNull()), new Answer("q2", json("2")));
    assertThat(store.answers(LINEAGE, "c1")).isEmpty();
  }

  @Test
  default void several_answers_are_stored_all_or_none(Checkpointer store) {
    var lease = History.hold(store, LINEAGE.thread());
    var both = List.of(new Answer("q1", json("1")), new Answer("q2", json("2")));
    assertThat(store.answer(lease, LINEAGE, "c0", both, NONE)).isTrue();
    var next = List.of(new Answer("q3", json("3")), new Answer("q2", json("4")));
    assertThat(store.answer(lease, LINEAGE, "c0", next, NONE)).isFalse();
    var twice = List.of(new Answer("q5", json("5")), new Answer("q5", json("6")));
    assertThat(store.answer(lease, LINEAGE, "c0", twice, NONE)).isFalse();
    assertThat(store.answer(lease, LINEAGE, "c0", List.of(), NONE)).isTrue();
    assertThat(store.answers(LINEAGE, "c0")).isEqualTo(both);
    // Another checkpoint has questions of its own.
    assertThat(store.answer(lease, LINEAGE, "c1", next, NONE)).isTrue();
    assertThat(store.answers(LINEAGE, "c1")).isEqualTo(next);
  }

  @Test
  default void a_commit_saves_steps_of_the_tasks_of_its_parent(Checkpointer store) {
    var lease = History.hold(store, LINEAGE.thread());
    var first = new Commit(LINEAGE, checkpoint("c0", Optional.empty(), 0), List.of());
    assertThat(store.commit(lease, first)).isTrue();
    var early = new StepRecord("t", "early", json("1"));
    store.saveStep(lease, LINEAGE, "c0", early);
    var late = new StepRecord("t", "late", json("2"));
    var next =
        new Commit(LINEAGE, checkpoint("c1", Optional.of("c0"), 1), List.of())
            .withParentSteps(List.of(new StepRecord("t", "early", json("3")), late));
    assertThat(store.commit(lease, next)).isTrue();
    assertThat(store.steps(LINEAGE, "c0")).containsExactly(early, late);
    assertThat(store.steps(LINEAGE, "c1")).isEmpty();
    // Refused, so it saves nothing.
    var refused =
        new Commit(LINEAGE, checkpoint("c2", Optional.of("c0"), 1), List.of())
            .withParentSteps(List.of(new StepRecord("t", "refused", json("4"))));
    assertThat(store.commit(lease, refused)).isFalse();
    assertThat(store.steps(LINEAGE, "c0")).containsExactly(early, late);
  }

  @Test
  default void a_commit_carries_earlier_records_of_its_tasks(Checkpointer store) {
    var lease = History.hold(store, LINEAGE.thread());
    store.saveTask(lease, LINEAGE, "c0", finished("early", "1"), NONE);
    store.saveStep(lease, LINEAGE, "c0", new StepRecord("early", "mail", json("1")));
    var bare = new Commit(LINEAGE, checkpoint("c0", Optional.empty(), 0), List.of());
    var commit =
        bare.carrying(
            List.of(finished("early", "2"), finished("t", "3"), failed("u", "why")),
            List.of(
                new StepRecord("early", "mail", json("2")), new StepRecord("t", "mail", json("3"))),
            List.of(new Answer("q1", json("1")), new Answer("q2", json("2"))));
    assertThat(store.commit(lease, commit)).isTrue();
    assertThat(store.tasks(LINEAGE, "c0"))
        .containsExactly(finished("early", "1"), finished("t", "3"), failed("u", "why"));
    assertThat(store.steps(LINEAGE, "c0"))
        .containsExactly(
            new StepRecord("early", "mail", json("1")), new StepRecord("t", "mail", json("3")));
    assertThat(store.answers(LINEAGE, "c0"))
        .containsExactly(new Answer("q1", json("1")), new Answer("q2", json("2")));
    // Refused, so it carries nothing.
    var late =
        bare.carrying(
            List.of(finished("late", "1")),
            List.of(new StepRecord("late", "mail", json("1"))),
            List.of(new Answer("q9", json("1"))));
    assertThat(store.commit(lease, late)).isFalse();
    assertThat(store.tasks(LINEAGE, "c0")).hasSize(3);
    assertThat(store.steps(LINEAGE, "c0")).hasSize(2);
    assertThat(store.answers(LINEAGE, "c0")).hasSize(2);
  }

  @Test
  default void saved_data_is_present_after_reopening() {
    var store = fresh();
    var history = History.of(store);
    var lease = history.lease();
    history.commit(whole("a", 1, "1"), items("list", 1, 0, json("1")));
    history.commit(items("list", 2, 1, json("2")));
    store.saveTask(lease, LINEAGE, "c1", finished("t", "1"), NONE);
    store.saveStep(lease, LINEAGE, "c1", new StepRecord("t", "mail", json("1")));
    store.answer(lease, LINEAGE, "c1", List.of(new Answer("q", json("1"))), NONE);
    store.close();
    store.close();
    reopened()
        .ifPresent(again -> {
          try (again) {
            history.movedTo(again).agrees();
            assertThat(again.tasks(LINEAGE, "c1")).containsExactly(finished("t", "1"));
            assertThat(again.steps(LINEAGE, "c1"))
                .containsExactly(new StepRecord("t", "mail", json("1")));
            assertThat(again.answers(LINEAGE, "c1")).containsExactly(new Answer("q", json("1")));
            // The lease is as good as before, for whoever has it.
            assertThatThrownBy(() -> History.hold(again, "thread")).isInstanceOf(ThreadBusy.class);
            assertThat(again.renew(lease, Duration.ofHours(1))).isFalse();
          }
        });
  }

  private static TaskRecord finished(String task, String value) {
    var writes = List.<SavedWrite>of(new SavedWrite.Put("a", json(value)));
    return new TaskRecord(task, "n", new End.Finished(writes, Optional.empty(), List.of()));
  }

  private static TaskRecord failed(String task, String why) {
    return new TaskRecord(task, "n", new End.Failed("node.failed", why));
  }
}
