package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.model.ModelChoice;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.RecordingModel;
import dev.superstep.model.ScriptedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What happens on a machine without any model.
class RecordedTest {
  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws Exception {
    desk = new Desk(temp);
    desk.config(
        """
        [program]
        class = "dev.superstep.cli.LettersProgram"
        input = "inbox"
        [recording]
        replies = "recorded/gemma3-270m.jsonl"
        input = "inbox"
        """);
    record();
  }

  private void record() throws IOException, InterruptedException {
    var file = desk.folder().resolve("letters/recorded/gemma3-270m.jsonl");
    Files.createDirectories(file.getParent());
    try (var model = RecordingModel.open(file, new Gemma(), "for tests", () -> Instant.EPOCH)) {
      for (var letter : new String[] {"hello", "pay 1000", "pay 2000"}) {
        model.call(ChatRequest.of(new UserMessage("", letter)));
      }
    }
  }

  /// Plays the model that is recorded.
  private static final class Gemma implements ChatModel {
    @Override
    public ModelRef ref() {
      return ModelChoice.STANDARD;
    }

    @Override
    public ChatReply call(ChatRequest request) {
      boolean pay = request.messages().getLast().text().contains("pay");
      return ScriptedModel.text(pay ? "risky" : "fine");
    }
  }

  @Test
  void the_recorded_input_runs_on_recorded_replies_and_every_event_says_so() throws Exception {
    var said = desk.run("run", "letters", "--yes", "--json", "--thread", "t");
    assertThat(said.exit()).as(said.out()).isZero();
    assertThat(said.lines()).allMatch(l -> l.contains("\"source\":\"recorded\""));
    assertThat(said.lines()).allMatch(l -> l.contains("\"model\":\"local://gemma3-270m\""));
    assertThat(said.err().lines().filter(l -> l.contains("no model here"))).hasSize(1);
  }

  @Test
  void the_same_folder_under_another_name_is_the_recorded_input() throws Exception {
    Files.createSymbolicLink(
        desk.folder().resolve("mails"), desk.folder().resolve("letters/inbox"));
    var said = desk.run("run", "letters", "--yes", "--input", "mails");
    assertThat(said.exit()).as(said.err()).isZero();
    Golden.check("recorded.txt", desk.neutral(said.out() + "--- stderr\n" + said.err()));
  }

  @Test
  void a_recorded_run_resumes_with_the_recording() {
    desk.run("run", "letters", "--thread", "t");
    var said = desk.run("resume", "t", "--yes", "--json");
    assertThat(said.exit()).as(said.out()).isZero();
    assertThat(said.lines()).allMatch(l -> l.contains("\"source\":\"recorded\""));
  }

  @Test
  void other_input_stops_and_names_the_three_ways_to_get_a_model() throws Exception {
    desk.write("mails/a.txt", "hello");
    var said = desk.run("run", "letters", "--yes", "--input", "mails");
    assertThat(said.exit()).isEqualTo(ExitCodes.PROVIDER);
    Golden.check("no-model.txt", desk.neutral(said.err()));
    assertThat(Files.exists(desk.folder().resolve(".superstep"))).isFalse();
  }

  @Test
  void a_model_that_was_chosen_is_never_replaced_by_the_recording() {
    var said = desk.run("run", "letters", "--yes", "--model", "local://gemma3-270m");
    assertThat(said.exit()).isEqualTo(ExitCodes.PROVIDER);
    assertThat(said.err()).contains("error[model.unavailable]: The weights of");
    var vendor = desk.run("run", "letters", "--yes", "--model", "openai://gpt-5.2");
    assertThat(vendor.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(vendor.err()).contains("OPENAI_API_KEY is not set");
  }

  @Test
  void a_recording_can_be_chosen_like_any_model() {
    var url = "recorded://letters/recorded/gemma3-270m.jsonl";
    var said = desk.run("run", "letters", "--thread", "t", "--model", url);
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCodes.INTERRUPTED);
    var strange = desk.run("resume", "t", "--yes");
    assertThat(strange.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(strange.err()).contains("error[model.not-agreed]", "which is a file");
    assertThat(desk.run("resume", "t", "--yes", "--model", url).exit()).isZero();
  }
}
