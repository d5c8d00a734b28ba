package dev.superstep.cli.rlm.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.message.Message;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import org.junit.jupiter.api.Test;

/// The simulated model of `superstep rlm bench`, and the answers that it is measured by.
class RotModelTest {
  private static String ask(RotModel model, Task task) {
    var prompt = task.question() + "\n\n" + task.text();
    return model.call(ChatRequest.of(Message.user(prompt))).message().text();
  }

  @Test
  void it_answers_every_suite_where_it_reads_every_line() {
    for (var suite : Suite.values()) {
      var task = suite.task(1 << 12, 5);
      var careful = new RotModel(1 << 30, 1 << 30, 1);
      assertThat(task.truth().score(ask(careful, task))).as(suite.id()).isEqualTo(1);
    }
  }

  @Test
  void the_same_seed_and_prompt_give_the_same_reply_and_other_seeds_other_ones() {
    var task = Suite.COUNT.task(1 << 16, 1);
    var first = ask(RotModel.standard(1), task);
    assertThat(ask(RotModel.standard(1), task)).isEqualTo(first);
    assertThat(
            java.util.stream.LongStream.range(2, 12)
                .mapToObj(seed -> ask(RotModel.standard(seed), task)))
        .anyMatch(reply -> !reply.equals(first));
  }

  @Test
  void it_misreads_more_the_longer_the_prompt_is_and_refuses_beyond_its_window() {
    var model = RotModel.standard(1);
    assertThat(model.misread(60_000)).isGreaterThan(10 * model.misread(6_000));
    assertThat(model.misread(6_000)).isGreaterThan(model.misread(600));
    var task = Suite.COUNT.task(1 << 19, 1);
    assertThatThrownBy(() -> ask(model, task))
        .isInstanceOfSatisfying(
            ModelException.class,
            e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.CONTEXT_LENGTH));
  }

  @Test
  void an_answer_is_scored_by_how_far_it_is_off() {
    var count = new Truth.Count(12);
    assertThat(count.score("12")).isEqualTo(1);
    assertThat(count.score("There are 10 entries.")).isEqualTo(0.75 * 0.75);
    assertThat(count.score("many")).isZero();
    var choice = new Truth.Choice("food", java.util.Set.of("food", "money"));
    assertThat(choice.score("Food.")).isEqualTo(1);
    assertThat(choice.score("food or money")).isZero();
    var pairs = new Truth.Pairs(java.util.Set.of("0001-0002", "0001-0003"));
    assertThat(pairs.score("0002-0001\n0001-0004")).isEqualTo(0.5);
    assertThat(pairs.score("none")).isZero();
  }
}
