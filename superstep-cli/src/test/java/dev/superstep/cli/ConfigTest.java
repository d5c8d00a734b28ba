package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.model.ModelChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigTest {
  private static final String PROGRAM =
      "[program]\nclass = \"dev.superstep.cli.LettersProgram\"\ninput = \"inbox\"\n";
  @TempDir Path temp;
  private Desk desk;
  private StringBuilder all = new StringBuilder();

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
  }

  private Desk.Said said(String toml) throws IOException {
    desk.config(toml);
    return desk.run("run", "letters", "--yes");
  }

  private void refused(String toml) throws IOException {
    var said = said(toml);
    assertThat(said.exit()).as(toml).isEqualTo(ExitCodes.USAGE);
    assertThat(said.out()).isEmpty();
    assertThat(said.err()).hasLineCount(1).startsWith("error[");
    all.append(toml.strip()).append("\n=> ").append(desk.neutral(said.err())).append('\n');
  }

  @Test
  void a_malformed_program_file_is_reported_with_line_and_column() throws Exception {
    refused("[program\nclass = 1");
    refused("[program]\nclass = 1");
    refused("[program]\nclas = \"x\"");
    refused("[program]\nclass = \"x\"\n[other]\na = 1");
    refused("program = 1");
    refused("model = [\"a\"]\n" + PROGRAM);
    refused("model = \"local://gemma3-270m\"");
    refused(PROGRAM + "[recording]\nreplies = \"r.jsonl\"");
    refused("a = " + "[".repeat(20_000));
    Golden.check("broken-config.txt", all.toString().replaceAll("\\[{100,}", "[[["));
  }

  @Test
  void paths_stay_inside_the_folder_after_links() throws Exception {
    Files.createSymbolicLink(desk.folder().resolve("letters/link"), desk.folder());
    refused("[program]\nclass = \"x\"\ninput = \"../inbox\"");
    refused("[program]\nclass = \"x\"\ninput = \"/etc\"");
    refused("[program]\nclass = \"x\"\nclasses = [\"link/other\"]");
    refused(PROGRAM + "[recording]\nreplies = \"link/r.jsonl\"\ninput = \"inbox\"");
    Golden.check("paths-outside.txt", all.toString());
  }

  @Test
  @org.junit.jupiter.api.Timeout(60)
  void a_description_is_a_small_file_of_the_folder() throws Exception {
    var file = desk.folder().resolve("letters/superstep.toml");
    Files.delete(file);
    Files.createSymbolicLink(file, Path.of("/dev/zero"));
    assertThat(desk.run("run", "letters").err()).contains("error[config.outside]");
    Files.delete(file);
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    assertThat(desk.run("run", "letters").err()).contains("is not a regular file");
    Files.delete(file);
    assertThat(said("#".repeat(70_000)).err()).contains("has more than 65536 bytes");
    desk.variable("SUPERSTEP_CONFIG", "/dev/zero");
    assertThat(said(PROGRAM).err()).contains("/dev/zero is not a regular file");
  }

  @Test
  void a_class_that_is_no_program_is_a_one_line_error() throws Exception {
    refused("[program]\nclass = \"dev.example.Missing\"\ninput = \"inbox\"");
    refused("[program]\nclass = \"java.lang.String\"\ninput = \"inbox\"");
    refused(PROGRAM.replace("LettersProgram", "ConfigTest$HiddenProgram"));
    refused(PROGRAM.replace("Letters", "Exploding"));
    refused("[program]\nclass = \"x\"\nclasses = [\"build\"]\ninput = \"inbox\"");
    Golden.check("no-program.txt", all.toString());
  }

  /// Has no public constructor.
  abstract static class HiddenProgram implements dev.superstep.program.Program {}

  @Test
  void a_program_does_not_send_data_to_a_stranger_unless_the_user_agrees() throws Exception {
    refused("model = \"openai-compatible://http://evil.example/v1/m\"\n" + PROGRAM);
    refused("model = \"openai-compatible://http://localhost@evil.example/v1/m\"\n" + PROGRAM);
    refused("model = \"openai-compatible://http://127.0.0.1.evil.example/v1/m\"\n" + PROGRAM);
    refused("model = \"ollama://evil.example:11434/m\"\n" + PROGRAM);
    refused("model = \"scripted:///etc/passwd\"\n" + PROGRAM);
    Golden.check("model-not-agreed.txt", all.toString());
  }

  @Test
  void a_program_may_ask_for_a_vendor_or_this_machine() {
    for (var url : new String[] {"http://localhost:1/v1/m", "http://127.0.0.1:1/v1/m"}) {
      var ref = dev.superstep.model.ModelRef.parse("openai-compatible://" + url);
      assertThat(ModelChoice.isElsewhere(ref)).as(url).isFalse();
    }
    var ollama = dev.superstep.model.ModelRef.parse("ollama://[::1]:11434/m");
    assertThat(ModelChoice.isElsewhere(ollama)).isFalse();
  }

  @Test
  void the_first_of_option_variable_folder_and_user_config_chooses_the_model() throws Exception {
    var toml = "model = \"openai://from-folder\"\n" + PROGRAM;
    desk.write("home/.config/superstep/config.toml", "model = \"openai://from-user\"\n");
    assertThat(said(PROGRAM).err()).contains("openai://from-user");
    assertThat(said(toml).err()).contains("No key for `openai://from-folder`");
    desk.variable("SUPERSTEP_MODEL", "openai://from-variable");
    assertThat(said(toml).err()).contains("openai://from-variable");
    var said = desk.run("run", "letters", "--yes", "--model", "openai://from-option");
    assertThat(said.err()).contains("openai://from-option");
    assertThat(said.exit()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void the_users_config_is_checked_too_and_may_be_named() throws Exception {
    desk.write("mine.toml", "model = \"nowhere\"\n").variable("SUPERSTEP_CONFIG", "mine.toml");
    refused(PROGRAM);
    desk.write("mine.toml", "modell = \"openai://m\"\n");
    refused(PROGRAM);
    desk.variable("SUPERSTEP_CONFIG", "missing.toml");
    refused(PROGRAM);
    Golden.check("user-config.txt", all.toString());
  }

  @Test
  void a_remote_model_needs_consent_again_when_a_thread_resumes() throws Exception {
    desk.letter("a.txt", "price").letter("b.txt", "price").letter("c.txt", "price");
    var url = "ollama://far.example:11434/m";
    var said = desk.run("run", "letters", "--thread", "t", "--model", url);
    assertThat(said.out()).contains("./superstep resume t --model " + url + "\n");
    assertThat(desk.run("resume", "t").err()).contains("error[model.not-agreed]");
    var more = new String[] {"--answer", "1=1", "--answer", "2=2", "--answer", "3=3"};
    assertThat(desk.run("resume", "t", more[0], more[1]).exit()).isEqualTo(ExitCodes.USAGE);
    desk.variable("SUPERSTEP_MODEL", url);
    assertThat(desk.run("resume", "t", more[0], more[1], more[2], more[3], more[4], more[5]).exit())
        .isZero();
  }
}
