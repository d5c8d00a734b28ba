package dev.superstep.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.eval.check.Checks;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.Dataset;
import dev.superstep.eval.dataset.Ending;
import dev.superstep.flow.Both;
import dev.superstep.flow.Flow;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Threads of typed flows and of graphs become cases, which the same flow and graph then pass.
@Timeout(60)
class RecordedCasesTest {
  record Mail(String text, int copies) {}

  record Words(List<String> all) {}

  record Length(int letters) {}

  record Letter(int words, int letters) {}

  static final Flow<Mail, Letter> LETTERS =
      Flow.named("letters", Mail.class, Letter.class)
          .fork(
              Mail.class,
              Words.class,
              Length.class,
              mail -> Both.of(new Words(List.of(mail.text().split(" "))), length(mail)))
          .join(
              Words.class,
              Length.class,
              Letter.class,
              (words, length) -> new Letter(words.all().size(), length.letters()))
          .build();

  static final Channel<String, String> WORD = Channel.latest("word", String.class);
  static final Channel<List<String>, String> SEEN = Channel.append("seen", String.class);
  static final Channel<Long, Long> COUNT = Channel.sum("count");
  static final Channel<Map<String, Integer>, Map<String, Integer>> LENGTHS =
      Channel.merge("lengths", Integer.class);

  static final Graph WORDS =
      Graph.named("words")
          .channels(WORD, SEEN, COUNT, LENGTHS)
          .node(
              "count",
              state -> {
                var word = state.get(WORD);
                return Update.of(SEEN, word)
                    .and(COUNT, (long) word.length())
                    .and(LENGTHS, Map.of(word, word.length()));
              })
          .sequence(Graph.START, "count", Graph.END)
          .compile();

  private final Checkpointer store = new InMemoryCheckpointer();
  @TempDir Path folder;

  private static Length length(Mail mail) {
    return new Length(mail.text().length() * mail.copies());
  }

  @Test
  void a_run_of_a_typed_flow_becomes_a_case_that_the_flow_passes() throws InterruptedException {
    var _ = LETTERS.run(new Mail("two lamps", 3), on("mail"));
    var file = folder.resolve("flow.jsonl");
    var result = RecordedFlow.measure(LETTERS, "mail", file, store);
    assertThat(Dataset.read(file).cases())
        .containsExactly(
            Case.of("mail", Json.parse("{\"copies\":3,\"text\":\"two lamps\"}"))
                .withExpected(Json.parse("{\"letters\":27,\"words\":2}"))
                .withMetadata("thread", "mail"));
    assertThat(result.summary().passed()).isEqualTo(1);
    assertThat(result.trials().getFirst().observation().output())
        .isEqualTo(Json.parse("{\"words\":2,\"letters\":27}"));
  }

  @Test
  void a_run_of_a_graph_becomes_a_case_that_the_graph_passes() throws InterruptedException {
    var _ = WORDS.invoke(Input.of(WORD, "lamp"), on("w"));
    var file = folder.resolve("graph.jsonl");
    var result = RecordedFlow.measure(WORDS, "w", file, store);
    var item = Dataset.read(file).find("w").orElseThrow();
    assertThat(item.input()).isEqualTo(Json.parse("{\"word\":\"lamp\"}"));
    assertThat(item.expected())
        .contains(
            Json.parse(
                "{\"count\":4,\"lengths\":{\"lamp\":4},\"seen\":[\"lamp\"],\"word\":\"lamp\"}"));
    assertThat(result.summary().passed()).isEqualTo(1);
  }

  @Test
  void the_last_run_of_a_thread_counts_with_the_state_that_it_began_with()
      throws InterruptedException {
    var _ = WORDS.invoke(Input.of(WORD, "lamp"), on("w"));
    var _ = WORDS.invoke(Input.of(WORD, "bulb"), on("w"));
    var item = RecordedCases.in(store).of(WORDS, "w");
    assertThat(item.input())
        .isEqualTo(
            Json.parse(
                "{\"count\":4,\"lengths\":{\"lamp\":4},\"seen\":[\"lamp\"],\"word\":\"bulb\"}"));
    var evaluation = Evaluation.named("two", Dataset.of(item), Subject.graph(WORDS));
    var result = evaluation.checks(Checks.equalsExpected()).run(store);
    assertThat(result.summary().passed()).isEqualTo(1);
  }

  @Test
  void what_a_rewind_left_behind_is_no_part_of_a_case() throws InterruptedException {
    var _ = WORDS.invoke(Input.of(WORD, "lamp"), on("w"));
    var first = WORDS.state(on("w")).orElseThrow().checkpoint();
    var _ = WORDS.invoke(Input.of(WORD, "wrong"), on("w"));
    Threads.in(store).rewind("w", first);
    var item = RecordedCases.in(store).of(WORDS, "w");
    assertThat(item.input()).isEqualTo(Json.parse("{\"word\":\"lamp\"}"));
    assertThat(item.expected().orElseThrow().text()).doesNotContain("wrong");
  }

  @Test
  void a_case_that_names_no_channel_of_the_graph_fails_with_the_names() throws Exception {
    var item = Case.of("a", Json.parse("{\"wrd\":\"lamp\"}"));
    var result = Evaluation.named("none", Dataset.of(item), Subject.graph(WORDS)).run(store);
    var seen = result.trials().getFirst().observation();
    assertThat(seen.ending()).isEqualTo(Ending.FAILED);
    assertThat(seen.reason()).contains("channel `wrd`", "word, seen, count, lengths");
  }

  @Test
  void a_thread_that_is_not_there_is_no_case() {
    assertThatThrownBy(() -> RecordedCases.in(store).of(WORDS, "none"))
        .isInstanceOf(NothingRecorded.class)
        .hasMessage("Thread `none` cannot become a case: the store has nothing of it.");
  }

  private RunOptions on(String thread) {
    return RunOptions.thread(thread).checkpoints(store);
  }
}
