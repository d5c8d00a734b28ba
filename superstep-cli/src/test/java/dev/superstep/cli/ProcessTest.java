package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The command as the shell sees it: a process without a terminal, whose class path does not hold
/// the program.
@Timeout(300)
class ProcessTest {
  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
  }

  @Test
  void help_ends_with_exit_code_0_and_loads_neither_json_nor_the_store() throws Exception {
    desk.variable("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=loaded.txt");
    var said = desk.spawn("--help");
    assertThat(said.exit()).isZero();
    assertThat(said.out()).startsWith("Runs agent programs");
    assertThat(Files.readString(desk.folder().resolve("loaded.txt")))
        .contains("picocli")
        .doesNotContain("tools.jackson", "org.sqlite", "langchain4j", "org.tomlj");
  }

  @Test
  void an_editor_is_served_on_the_standard_streams_and_nothing_else_is_written() throws Exception {
    var words =
        message(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}")
            + message("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"shutdown\"}")
            + message("{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}");
    var said = desk.piping(words).spawn("rag", "lsp");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.err()).isEmpty();
    assertThat(said.out()).startsWith("Content-Length: ").contains("\"hoverProvider\":true");
    assertThat(said.out()).contains("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":null}");
  }

  @Test
  void an_editor_is_offered_the_names_of_the_folder() throws Exception {
    var folder = Files.createDirectories(desk.folder().resolve("claims"));
    Files.writeString(
        folder.resolve("superstep.toml"), "[models]\nquick = \"scripted://x.json\"\n");
    var text = "graph g { start a node a { model \\\"\\\" } }";
    var file = Files.writeString(folder.resolve("g.rag"), text.replace("\\", "")).toUri();
    var words =
        message(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}")
            + message(
                "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":\"%s\",\"languageId\":\"rag\",\"version\":1,\"text\":\"%s\"}}}"
                    .formatted(file, text))
            + message(
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"textDocument/completion\",\"params\":{\"textDocument\":{\"uri\":\"%s\"},\"position\":{\"line\":0,\"character\":34}}}"
                    .formatted(file));
    var process = desk.start("rag", "lsp");
    process.getOutputStream().write(words.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    var said = lines(process.getInputStream());
    await(said, "\"label\":\"quick\"");
    process.getOutputStream().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
  }

  private static String message(String body) {
    return "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  @Test
  void a_run_without_a_terminal_is_interrupted_and_another_process_finishes_it() throws Exception {
    var said = desk.piping("y\ny\n").spawn("run", "letters", "--model", Desk.SCRIPT);
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCodes.INTERRUPTED);
    var command = said.lines().getLast().replaceFirst(".*: \\./superstep ", "").split(" ");
    assertThat(command).hasSize(4).startsWith("resume");
    var answers = desk.piping("1=yes\n2=no: too much\n");
    var done = answers.spawn(command[0], command[1], command[2], command[3], "--answers", "-");
    assertThat(done.exit()).as(done.err()).isZero();
    assertThat(desk.report(command[1]))
        .isEqualTo("hello: fine\npay 1000: sent\npay 2000: kept because too much\n");
    assertThat(desk.log(command[1]).stream().filter("hello"::equals)).hasSize(1);
  }

  @Test
  void stdout_has_only_json_with_the_result_last() throws Exception {
    var said = desk.spawn("run", "letters", "--json", "--thread", "t", "--model", Desk.SCRIPT);
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCodes.INTERRUPTED);
    for (var line : said.lines()) assertThat(Json.parse(line).text()).startsWith("{\"type\":\"");
    assertThat(said.lines().getFirst()).contains("run.started");
    assertThat(said.lines().getLast())
        .startsWith("{\"type\":\"result\",\"outcome\":\"interrupted\",\"exit\":3,\"thread\":\"t\"")
        .contains(
            "\"position\":1", "\"resume\":\"./superstep resume t --model " + Desk.SCRIPT + "\"");
    var failed = desk.spawn("resume", "t", "--json", "--model", Desk.SCRIPT, "--answer", "x=yes");
    assertThat(failed.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(failed.lines().getLast())
        .startsWith("{\"type\":\"error\",\"code\":\"answer.unknown");
    assertThat(failed.err()).doesNotContain("error[");
  }

  @Test
  void wrong_usage_ends_with_2_and_a_failed_model_with_6() throws Exception {
    assertThat(desk.spawn("run", "nowhere").exit()).isEqualTo(ExitCodes.USAGE);
    desk.letter("d.txt", "gibberish");
    var said = desk.spawn("run", "letters", "--model", Desk.SCRIPT);
    assertThat(said.exit()).isEqualTo(ExitCodes.PROVIDER);
    assertThat(said.out()).isEmpty();
    assertThat(said.err()).contains("error[graph.node-failed]").doesNotContain("\tat ");
  }

  @Test
  void ctrl_c_keeps_finished_work_and_prints_the_command_to_resume() throws Exception {
    desk.letter("d.txt", "wait for the signal");
    var process = desk.start("run", "letters", "--json", "--thread", "t", "--model", Desk.SCRIPT);
    var lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    // The letter that waits has begun, and the one that does not is done.
    boolean waits = false;
    boolean done = false;
    while (!(waits && done)) {
      var line = lines.readLine();
      assertThat(line).isNotNull();
      waits |= line.contains("node.emitted") && line.contains("\"waiting\"");
      done |= line.contains("node.finished") && line.contains("settle");
    }
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(ExitCodes.INTERRUPTED);
    var last = lines.lines().toList().getLast();
    assertThat(last)
        .contains(
            "\"outcome\":\"stopped\"",
            "\"resume\":\"./superstep resume t --model " + Desk.SCRIPT + "\"");
    desk.variable("NO_WAITING", "1");
    var said = desk.spawn("resume", "t", "--yes", "--model", Desk.SCRIPT);
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(desk.log("t").stream().filter("hello"::equals)).hasSize(1);
  }

  @Test
  void sigterm_lets_running_tasks_finish_and_begins_nothing_more() throws Exception {
    desk.letter("d.txt", "hold hello");
    var words = desk.words("run", "letters", "--json", "--thread", "t", "--model", Desk.SCRIPT);
    var builder = new ProcessBuilder(words).directory(desk.folder().toFile());
    desk.surround(builder);
    var process = builder.start();
    var lines = lines(process.getInputStream());
    await(lines, "\"waiting\"");
    new ProcessBuilder("kill", "-TERM", Long.toString(process.pid())).start().waitFor();
    await(lines(process.getErrorStream()), "ends after what is running now");
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(ExitCodes.INTERRUPTED);
    var rest = lines.lines().toList();
    assertThat(rest).anyMatch(l -> l.contains("node.finished") && l.contains("settle"));
    assertThat(desk.log("t")).contains("hold hello");
    desk.variable("NO_WAITING", "1");
    var said = desk.spawn("resume", "t", "--yes", "--model", Desk.SCRIPT);
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(desk.log("t").stream().filter("hold hello"::equals)).hasSize(1);
  }

  @Test
  void a_task_that_ignores_the_end_after_sigterm_is_cut_off_and_runs_again() throws Exception {
    var process = waiting();
    long began = System.nanoTime();
    new ProcessBuilder("kill", "-TERM", Long.toString(process.pid())).start().waitFor();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    // It had its time.
    assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)).isGreaterThanOrEqualTo(4);
    assertThat(process.exitValue()).isEqualTo(ExitCodes.INTERRUPTED);
    desk.variable("NO_WAITING", "1");
    var said = desk.spawn("resume", "t", "--yes", "--model", Desk.SCRIPT);
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(desk.log("t").stream().filter("hello"::equals)).hasSize(1);
  }

  private static BufferedReader lines(InputStream in) {
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /// Reads until a text has come, which need not end its line.
  private static void await(BufferedReader said, String text) throws IOException {
    var seen = new StringBuilder();
    while (seen.indexOf(text, Math.max(0, seen.length() - text.length())) < 0) {
      int next = said.read();
      assertThat(next).as(seen.toString()).isNotNegative();
      seen.append((char) next);
    }
  }

  @Test
  void a_reader_that_goes_away_does_not_stop_the_run() throws Exception {
    var process =
        desk.start("run", "letters", "--json", "--yes", "--thread", "t", "--model", Desk.SCRIPT);
    process.getInputStream().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(desk.report("t")).contains("pay 1000: sent");
  }

  /// A run that waits in a node and has saved what can be saved before that.
  private Process waiting() throws IOException {
    desk.letter("d.txt", "wait for the signal");
    var process = desk.start("run", "letters", "--json", "--thread", "t", "--model", Desk.SCRIPT);
    var lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    boolean waits = false;
    boolean done = false;
    while (!(waits && done)) {
      var line = lines.readLine();
      assertThat(line).isNotNull();
      waits |= line.contains("node.emitted") && line.contains("\"waiting\"");
      done |= line.contains("node.finished") && line.contains("settle");
    }
    return process;
  }

  @Test
  void a_run_in_another_process_is_seen_at_work_and_cancelled() throws Exception {
    var process = waiting();
    assertThat(desk.run("threads", "show", "t").out())
        .contains("at work     run ", "of process " + process.pid());
    assertThat(desk.run("threads", "list").out()).contains("at work: run ");
    var busy = desk.run("threads", "delete", "t", "--yes");
    assertThat(busy.exit()).isEqualTo(ExitCodes.FAILED);
    assertThat(busy.err()).startsWith("error[thread.busy]").contains("of process " + process.pid());
    var said = desk.run("threads", "cancel", "t");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out()).startsWith("asked run ").contains("of process " + process.pid());
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(desk.run("threads", "show", "t").out()).contains("at work     nobody");
    desk.variable("NO_WAITING", "1");
    var done = desk.spawn("resume", "t", "--yes", "--model", Desk.SCRIPT);
    assertThat(done.exit()).as(done.err()).isZero();
    assertThat(desk.log("t").stream().filter("hello"::equals)).hasSize(1);
  }

  @Test
  void a_run_is_followed_from_another_process_until_it_ends() throws Exception {
    var run = waiting();
    var follower = desk.start("events", "t", "--follow", "--until-end");
    var lines =
        new BufferedReader(
            new InputStreamReader(follower.getInputStream(), StandardCharsets.UTF_8));
    // Told while the run is at work.
    String line = lines.readLine();
    while (line != null && !line.matches(".* node.finished +settle .*")) line = lines.readLine();
    assertThat(line).isNotNull();
    assertThat(run.isAlive()).isTrue();
    desk.run("threads", "cancel", "t");
    var rest = lines.lines().toList();
    assertThat(rest.getLast()).contains("run.stopped");
    assertThat(follower.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(follower.exitValue()).isZero();
    assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void following_continues_after_the_end_of_the_run_and_ctrl_c_exits_with_130() throws Exception {
    desk.run("run", "letters", "--thread", "t", "--model", Desk.SCRIPT);
    var follower = desk.start("events", "t", "--follow", "--kind", "run.interrupted");
    var lines =
        new BufferedReader(
            new InputStreamReader(follower.getInputStream(), StandardCharsets.UTF_8));
    assertThat(lines.readLine()).startsWith("OFFSET  TIME (UTC)");
    assertThat(lines.readLine()).contains("run.interrupted");
    desk.resume("t", "--answer", "1=yes");
    assertThat(lines.readLine()).contains("run.interrupted");
    assertThat(follower.isAlive()).isTrue();
    new ProcessBuilder("kill", "-INT", Long.toString(follower.pid())).start().waitFor();
    assertThat(follower.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(follower.exitValue()).isEqualTo(130);
  }
}
