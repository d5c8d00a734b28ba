package dev.superstep.testkit;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Approval;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.run.Input;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class DoublesTest {
  static final Question<String, Approval> SURE = Question.of("sure", String.class, Approval.class);

  static Graph asking() {
    return Graph.named("asks")
        .questions(SURE)
        .node(
            "ask",
            (_, context) -> {
              context.interrupt(SURE, "sure?");
              return NodeResult.nothing();
            })
        .edge(START, "ask")
        .edge("ask", END)
        .compile();
  }

  @Test
  void a_manual_clock_moves_only_by_hand_and_never_back() {
    var clock = ManualClock.at("2026-01-02T03:04:05Z");
    assertThat(clock.advance(Duration.ofSeconds(5))).isEqualTo(clock.instant());
    assertThat(clock.instant()).isEqualTo(Instant.parse("2026-01-02T03:04:10Z"));
    assertThatIllegalArgumentException().isThrownBy(() -> clock.advance(Duration.ofNanos(-1)));
  }

  @Test
  void a_recorder_makes_the_same_log_of_equal_runs_whatever_their_ids_and_times() throws Exception {
    var logs = new String[2];
    for (int i = 0; i < 2; i++) {
      var recorder = new EventRecorder();
      var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
      asking().invoke(Input.none(), options.listener(recorder));
      assertThat(recorder.kinds())
          .containsExactly(
              "run.started", "step.started", "node.started", "interrupt.raised", "run.interrupted");
      assertThat(recorder.await(Event.InterruptRaised.class).interrupt().node()).isEqualTo("ask");
      logs[i] = recorder.log();
    }
    assertThat(logs[0])
        .isEqualTo(logs[1])
        .contains("\"run-1\"")
        .contains("run-1/1/ask")
        .contains("question-1")
        .doesNotContain("\"at\"");
  }

  @Test
  void ids_count() {
    var ids = new CountingIds();
    assertThat(Stream.generate(ids::next).limit(3)).containsExactly("id-1", "id-2", "id-3");
  }

  @TestFactory
  Stream<DynamicTest> golden_files_are_next_to_their_input() {
    return Golden.in("golden").each(text -> text.toUpperCase(Locale.ROOT));
  }

  @Test
  void text_that_differs_from_its_golden_file_or_has_none_fails(@TempDir Path folder)
      throws Exception {
    var golden = Golden.in(folder);
    Files.writeString(folder.resolve("a.txt"), "old");
    golden.check("a.txt", "old");
    assertThatThrownBy(() -> golden.check("a.txt", "new")).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> golden.check("b.txt", "new"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("superstep.golden=write");
  }
}
