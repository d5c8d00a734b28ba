package dev.superstep.repl.trajectory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.agent.ReplAgentBuilder;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.host.TextSource;
import dev.superstep.repl.record.ReplayDivergence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A run is written to a file, which runs again in another process without a model.
@Tag("S26")
class TrajectoryTest {
  static final TextSource TEXT = TextSource.of("one 12\ntwo 30\nthree 4\n");

  @TempDir Path folder;

  /// The settings of the recorded agent; only the recording has models that answer.
  static ReplAgentBuilder settings(ChatModel driver, ChatModel small) {
    return ReplAgent.named("reader").model(driver).grants(Grants.none().model("small", small));
  }

  private Trajectory recorded() throws Exception {
    var driver =
        ScriptedModel.saying(
            "```\nfirst = llm_query('Say')\n1 / 0\n```",
            "```\nrest = llm_batch(context.lines())\nprint([r.value for r in rest])\n```",
            "```\nanswer(first + str(len(rest)))\n```");
    var small =
        ScriptedModel.by(
            request -> ScriptedModel.text("heard " + request.messages().getLast().text().strip()));
    var agent = settings(driver, small).context(TEXT).build();
    var options = RunOptions.defaults().on("t", new InMemoryCheckpointer());
    assertThat(agent.run("?", options).answer()).isEqualTo("heard Say3");
    return Trajectory.of(agent.graph().state(options).orElseThrow().state());
  }

  private static ReplAgentBuilder withoutModels() {
    var silent = ScriptedModel.saying();
    return settings(silent, silent);
  }

  @Test
  void it_runs_again_without_a_model_and_is_written_the_same() throws Exception {
    var recorded = recorded();
    recorded.write(folder.resolve("a"));
    var read = Trajectory.read(folder.resolve("a"));
    assertThat(read.cells()).isEqualTo(recorded.cells()).hasSize(3);
    read.replay(withoutModels(), TEXT).write(folder.resolve("b"));
    assertThat(folder.resolve("b").resolve(Trajectory.FILE))
        .hasSameBinaryContentAs(folder.resolve("a").resolve(Trajectory.FILE));
  }

  @Test
  void another_process_gets_the_same_bytes() throws Exception {
    recorded().write(folder.resolve("a"));
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                ReplayMain.class.getName(),
                folder.resolve("a").toString(),
                folder.resolve("b").toString())
            .inheritIO()
            .start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(folder.resolve("b").resolve(Trajectory.FILE))
        .hasSameBinaryContentAs(folder.resolve("a").resolve(Trajectory.FILE));
  }

  @Test
  void a_flipped_byte_is_reported_at_its_call() throws Exception {
    recorded().write(folder);
    flip("heard three 4");
    assertThatThrownBy(() -> Trajectory.read(folder))
        .isInstanceOfSatisfying(
            ReplayDivergence.class,
            e -> {
              assertThat(e.cell()).isEqualTo(2);
              assertThat(e.call()).isEqualTo(1);
            });
  }

  private void flip(String text) throws IOException {
    try (var blobs = Files.list(folder.resolve("blobs"))) {
      for (var blob : blobs.toList()) {
        var found = Files.readString(blob);
        if (found.startsWith("{") && found.contains("\"" + text) && found.contains("digest")) {
          Files.writeString(blob, found.replace(text, "Heard" + text.substring(5)));
          return;
        }
      }
    }
    throw new IllegalStateException("no blob has " + text);
  }

  @Test
  void another_text_is_found_at_the_first_call_that_differs() throws Exception {
    var recorded = recorded();
    assertThatThrownBy(() -> recorded.replay(withoutModels(), TextSource.of("one 13\n")))
        .isInstanceOfSatisfying(
            ReplayDivergence.class,
            e -> {
              assertThat(e.cell()).isEqualTo(2);
              assertThat(e.call()).isEqualTo(1);
            });
  }

  @Test
  void a_file_of_the_first_version_is_read_and_runs_again() throws Exception {
    var file = Path.of(TrajectoryTest.class.getResource("version-1/trajectory.jsonl").toURI());
    var read = Trajectory.read(file.getParent());
    assertThat(read.cells()).hasSize(3);
    assertThat(read.replay(withoutModels(), TEXT).cells()).isEqualTo(read.cells());
  }

  @Test
  void a_line_tells_each_reply_cell_call_output_and_end() throws Exception {
    recorded().write(folder);
    var lines = Files.readAllLines(folder.resolve(Trajectory.FILE));
    assertThat(lines.stream().map(line -> Json.parse(line).as(Line.class).kind()))
        .containsExactly(
            "session",
            "route",
            "model_turn",
            "cell",
            "call",
            "stdout",
            "vars",
            "budget",
            "cell_end",
            "model_turn",
            "cell",
            "call",
            "stdout",
            "vars",
            "budget",
            "cell_end",
            "model_turn",
            "cell",
            "stdout",
            "vars",
            "budget",
            "cell_end",
            "final",
            "end");
    assertThat(lines.get(20)).contains("{\"model\":4}");
    assertThat(lines.getLast()).contains("\"name\":\"answered\"");
  }

  @Test
  void the_viewer_of_the_published_rlm_gets_an_iteration_for_each_reply() throws Exception {
    var file = folder.resolve("viewer.jsonl");
    recorded().writeForRlmViewer(file);
    var lines = Files.readAllLines(file);
    assertThat(lines).hasSize(4);
    assertThat(lines.getFirst())
        .contains("\"type\":\"metadata\"", "\"environment_type\":\"ragsh\"");
    assertThat(lines.get(1)).contains("\"stderr\":\"E-ragsh-raised\"", "\"iteration\":1,");
    assertThat(lines.get(2)).contains("\"response\":\"\\\"heard three 4\\\"\"");
    assertThat(lines.get(3)).contains("\"final_answer\":\"heard Say3\"");
    for (var line : lines) Json.parse(line);
  }

  @Test
  void an_answer_without_a_cell_ends_a_trajectory_as_well() throws Exception {
    var driver = ScriptedModel.saying("It is 42.", "It is 42.");
    var agent = settings(driver, ScriptedModel.saying()).context(TEXT).build();
    var options = RunOptions.defaults().on("t", new InMemoryCheckpointer());
    agent.run("?", options);
    var recorded = Trajectory.of(agent.graph().state(options).orElseThrow().state());
    recorded.write(folder);
    assertThat(recorded.turns()).hasSize(2);
    assertThat(Files.readString(folder.resolve(Trajectory.FILE)))
        .contains("\"name\":\"model answered\"");
    assertThat(Trajectory.read(folder).turns()).isEqualTo(recorded.turns());
  }

  @Test
  void a_line_that_is_missing_is_noticed() throws Exception {
    recorded().write(folder);
    var file = folder.resolve(Trajectory.FILE);
    var lines = Files.readAllLines(file);
    lines.remove(6);
    Files.write(file, lines);
    assertThatThrownBy(() -> Trajectory.read(folder))
        .isInstanceOf(InvalidTrajectory.class)
        .hasMessageContaining("line 7 is missing");
  }
}
