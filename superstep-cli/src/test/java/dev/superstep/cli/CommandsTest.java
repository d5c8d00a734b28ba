package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsTest {
  private static final List<String> THREADS =
      List.of(
          "list", "show", "history", "fork", "copy", "rewind", "delete", "break", "prune",
          "cancel");

  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
  }

  private void help(String name, String... arguments) throws IOException {
    var said = desk.run(arguments);
    assertThat(said.exit()).isZero();
    assertThat(said.err()).isEmpty();
    Golden.check("help" + name + ".txt", said.out());
  }

  @Test
  void every_command_has_help_with_examples() throws Exception {
    help("", "--help");
    help("-run", "run", "--help");
    help("-resume", "resume", "--help");
    help("-graph", "graph", "--help");
    help("-events", "events", "--help");
    help("-replay", "replay", "--help");
    help("-threads", "threads", "--help");
    for (var command : THREADS) help("-threads-" + command, "threads", command, "--help");
    help("-models", "models", "--help");
    help("-models-list", "models", "list", "--help");
    help("-models-pull", "models", "pull", "--help");
  }

  @Test
  void version_names_the_build() {
    assertThat(desk.run("--version").out()).matches("superstep \\d+\\.\\d+\\.\\d+\\S*\n");
  }

  @Test
  void wrong_usage_is_one_line_and_exit_code_2() throws Exception {
    var all = new StringBuilder();
    refused(all);
    refused(all, "runn");
    refused(all, "run");
    refused(all, "run", "letters", "--nope");
    refused(all, "run", "nowhere");
    refused(all, "run", "home");
    refused(all, "run", "letters", "--input", "nowhere");
    refused(all, "run", "letters", "--model", "gpt");
    refused(all, "run", "letters", "--model", "foo://bar");
    refused(all, "run", "letters", "--model", "openai-compatible://nowhere");
    refused(all, "run", "letters", "--concurrency", "0");
    refused(all, "run", "letters", "--concurrency", "many");
    refused(all, "run", "letters", "--thread", "");
    refused(all, "run", "letters", "--answer", "yes");
    refused(all, "run", "letters", "--answer", "1=y", "--answer", "1=n");
    refused(all, "run", "letters", "--answers", "file");
    refused(all, "resume");
    refused(all, "resume", "nothing");
    refused(all, "events");
    refused(all, "events", "nothing");
    refused(all, "events", "t", "--until-end");
    refused(all, "events", "t", "--after", "-1");
    refused(all, "replay");
    refused(all, "replay", "nothing");
    refused(all, "threads");
    refused(all, "threads", "show", "nothing");
    refused(all, "threads", "list", "--limit", "0");
    refused(all, "threads", "fork", "t");
    refused(all, "threads", "prune", "t", "--keep", "0");
    refused(all, "models");
    refused(all, "graph", "letters", "--json", "--mermaid");
    Golden.check("usage.txt", all.toString());
  }

  private void refused(StringBuilder all, String... arguments) throws IOException {
    desk.write("home/empty", "");
    var said = desk.run(arguments);
    var line = String.join(" ", arguments);
    assertThat(said.exit()).as(line).isEqualTo(ExitCodes.USAGE);
    assertThat(said.out()).as(line).isEmpty();
    assertThat(said.err()).as(line).hasLineCount(1).startsWith("error[");
    all.append("$ superstep ").append(line).append('\n').append(desk.neutral(said.err()));
  }

  @Test
  void wrong_usage_is_json_if_json_is_wanted() {
    assertThat(desk.run("run", "--json").out())
        .startsWith("{\"type\":\"error\",\"code\":\"usage\"")
        .hasLineCount(1);
    assertThat(desk.run("run", "nowhere", "--json").out())
        .startsWith("{\"type\":\"error\",\"code\":\"program.missing-folder\"");
  }

  @Test
  void unusable_input_is_a_one_line_error() throws Exception {
    java.nio.file.Files.createDirectories(desk.folder().resolve("empty"));
    var said = desk.run("run", "letters", "--input", "empty", "--model", Desk.SCRIPT);
    assertThat(said.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(desk.neutral(said.err()))
        .isEqualTo("error[program.unusable-input]: Folder DESK/empty holds no letters.\n");
  }

  @Test
  void a_graph_is_shown_without_a_model() throws Exception {
    var said = desk.run("graph", "letters");
    assertThat(said.exit()).as(said.err()).isZero();
    Golden.check("graph.txt", said.out());
    assertThat(desk.run("graph", "letters", "--mermaid").out()).startsWith("flowchart TD\n");
    assertThat(desk.run("graph", "letters", "--dot").out())
        .startsWith("digraph \"letters\" {\n")
        .endsWith("}\n");
    assertThat(desk.run("graph", "letters", "--json").out()).startsWith("{\"graph\":\"letters\"");
  }

  @Test
  void models_are_listed_with_what_they_need() throws Exception {
    desk.variable("OPENAI_API_KEY", "sk-secret");
    var said = desk.run("models", "list");
    assertThat(said.exit()).isZero();
    Golden.check("models.txt", desk.neutral(said.out()));
  }

  @Test
  void a_file_that_is_not_the_weights_is_refused() throws Exception {
    var said = desk.run("models", "pull", "unheard-of");
    assertThat(said.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.err()).contains("error[model.unknown]: There is no local model `unheard-of`");
  }

  @Test
  void a_store_that_is_no_database_is_a_one_line_error() throws Exception {
    desk.write("notes.db", "these are notes, not a database; they are kept ".repeat(50));
    var said = desk.run("resume", "t", "--store", "notes.db");
    assertThat(said.exit()).isEqualTo(ExitCodes.FAILED);
    assertThat(said.err()).hasLineCount(1).startsWith("error[store.failed]: ");
  }
}
