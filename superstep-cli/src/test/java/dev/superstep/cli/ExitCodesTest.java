package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Equal exit codes for equal kinds of end, whatever the command.
class ExitCodesTest {
  private static final Path GUIDE = Path.of("../docs/guide/operations/command-line.md");

  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
  }

  private void all(int exit, String error, String... commands) {
    for (var command : commands) {
      var said = desk.run(command.split(" ", -1));
      assertThat(said.exit()).as(command + "\n" + said.out() + said.err()).isEqualTo(exit);
      assertThat(said.err() + said.out()).as(command).contains(error);
    }
  }

  private void begin() {
    all(ExitCodes.INTERRUPTED, "", "run letters --thread t --model " + Desk.SCRIPT);
  }

  @Test
  void what_is_written_wrongly_is_2() throws IOException {
    begin();
    desk.write("bad.toml", "[[rule]]\nwhat = 1\n").write("bad.rag", "graph {");
    all(
        ExitCodes.USAGE,
        "error[usage]",
        "runn letters",
        "run letters --nope",
        "threads lst",
        "threads list --limit x",
        "events t --modle",
        "models pull",
        "rag chek x",
        "doctor now");
    all(
        ExitCodes.USAGE,
        "error[thread.unknown]",
        "resume x",
        "replay x",
        "events x",
        "threads show x",
        "threads history x",
        "threads delete x --yes",
        "threads fork x --as y");
    all(
        ExitCodes.USAGE,
        "error[model.unknown]",
        "models pull gemma",
        "run letters --model local://gemma");
    all(ExitCodes.USAGE, "bad.", "policy test bad.toml", "rag check bad.rag", "run bad.rag");
  }

  @Test
  void a_person_who_is_needed_and_not_there_is_3() throws IOException {
    begin();
    all(ExitCodes.INTERRUPTED, "", "resume t --model " + Desk.SCRIPT);
    all(
        ExitCodes.INTERRUPTED,
        "error[threads.not-agreed]",
        "threads delete t",
        "threads prune t --keep 1",
        "threads break t");
  }

  @Test
  void what_failed_is_4() throws IOException {
    begin();
    desk.write("notes.db", "these are notes, not a database; they are kept ".repeat(50));
    all(
        ExitCodes.FAILED,
        "error[store.failed]",
        "resume t --store notes.db",
        "threads list --store notes.db",
        "threads show t --store notes.db",
        "events t --store notes.db",
        "replay t --store notes.db");
  }

  @Test
  void a_model_that_cannot_be_asked_is_6() throws IOException {
    begin();
    desk.write("other/a.txt", "gibberish");
    all(
        ExitCodes.PROVIDER,
        "error[",
        "run letters --thread u --input other --model " + Desk.SCRIPT,
        "resume u --model " + Desk.SCRIPT,
        "run letters --thread v --model local://gemma3-270m");
  }

  @Test
  void the_guide_and_the_help_have_the_same_table() throws IOException {
    var help = desk.run("--help").out();
    var guide = Files.readString(GUIDE);
    var inHelp = Pattern.compile("(?m)^  (\\d+) +\\S").matcher(help).results();
    var inGuide = Pattern.compile("(?m)^\\| (\\d+) \\|").matcher(guide).results();
    var codes = inHelp.map(found -> found.group(1)).toList();
    assertThat(codes).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "130");
    assertThat(inGuide.map(found -> found.group(1)).toList()).isEqualTo(codes);
  }
}
