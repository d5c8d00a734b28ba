package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.json.Json;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Threads that are looked at and changed between runs, and what their runs told.
@Tag("T94")
final class ThreadsTest {
  private static final Pattern QUESTION =
      Pattern.compile("--answer ([a-z0-9]{10})=yes$", Pattern.MULTILINE);
  private static final Pattern PAYLOAD = Pattern.compile("(?m)^\\| (pay \\d+)$");
  private static final Pattern CHECKPOINT = Pattern.compile("(?m)^(\\S+) +1  ");

  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    var said = desk.run("run", "letters", "--thread", "t", "--model", Desk.SCRIPT);
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCodes.INTERRUPTED);
  }

  private String done(String... arguments) {
    var said = desk.run(arguments);
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.err()).isEmpty();
    return said.out();
  }

  private void refused(String code, String... arguments) {
    var said = desk.run(arguments);
    var expected = code.endsWith(".not-agreed") ? ExitCodes.INTERRUPTED : ExitCodes.USAGE;
    assertThat(said.exit()).as(said.out()).isEqualTo(expected);
    assertThat(said.out()).isEmpty();
    assertThat(said.err()).startsWith("error[" + code + "]: ").hasLineCount(1);
  }

  /// Without what differs each time.
  private String neutral(String text) {
    return desk.neutral(text)
        .replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID")
        .replaceAll("\\b[a-z0-9]{10} send\\b", "ID send")
        .replaceAll("\\b[a-z0-9]{10} \\{", "ID {");
  }

  private String stepOne() {
    var found = CHECKPOINT.matcher(done("threads", "history", "t"));
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  @Test
  void a_thread_that_waits_is_shown_with_its_state_and_how_to_answer_it() throws Exception {
    var shown = done("threads", "show", "t");
    Golden.check("threads-show.txt", neutral(shown));
    var json = done("threads", "show", "t", "--json");
    assertThat(json).hasLineCount(1).startsWith("{\"thread\":\"t\",\"graph\":\"letters\"");
    assertThat(json).contains("\"letters\":[\"hello\",\"pay 1000\",\"pay 2000\"]");
    var ids = QUESTION.matcher(shown).results().map(found -> found.group(1)).toList();
    assertThat(ids).hasSize(2);
    assertThat(desk.resume("t", "--answer", ids.getFirst() + "=yes").exit())
        .isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(desk.resume("t", "--answer", ids.getLast() + "=no: too much").exit()).isZero();
    var end = done("threads", "show", "t");
    assertThat(end).contains("nothing is due: the thread is done", "at work     nobody");
    assertThat(end).doesNotContain("resume with", "open:");
  }

  @Test
  void open_questions_are_shown_in_task_order_whatever_was_asked_first() throws Exception {
    var expected = new ArrayList<String>();
    for (int i = 100; i < 140; i++) {
      desk.letter("m" + i + ".txt", "pay " + i);
      expected.add("pay " + i);
    }
    expected.addAll(0, List.of("pay 1000", "pay 2000"));
    desk.run("run", "letters", "--thread", "many", "--model", Desk.SCRIPT);
    var shown = done("threads", "show", "many");
    var asked = PAYLOAD.matcher(shown).results().map(found -> found.group(1)).toList();
    assertThat(asked).isEqualTo(expected);
  }

  @Test
  void threads_and_their_checkpoints_are_listed_newest_first() throws Exception {
    desk.run("run", "letters", "--thread", "u", "--yes", "--model", Desk.SCRIPT);
    var list = done("threads", "list");
    assertThat(list).hasLineCount(3);
    Golden.check("threads-list.txt", neutral(list));
    Golden.check("threads-history.txt", neutral(done("threads", "history", "u")));
    assertThat(done("threads", "list", "--after", "u")).contains("\nt ").hasLineCount(2);
    assertThat(done("threads", "list", "--graph", "other")).isEmpty();
    assertThat(done("threads", "list", "--limit", "1", "--json"))
        .startsWith("{\"thread\":\"u\"")
        .contains("\"next\":[]")
        .hasLineCount(1);
    assertThat(done("threads", "history", "u", "--limit", "2", "--json")).hasLineCount(2);
  }

  @Test
  void a_misspelt_thread_or_channel_is_answered_by_the_one_that_was_meant() {
    desk.run("run", "letters", "--thread", "monday", "--yes", "--model", Desk.SCRIPT);
    for (var command : List.of("threads show", "threads history", "events", "replay", "resume")) {
      var words = (command + " mondai").split(" ");
      assertThat(desk.run(words).err()).as(command).endsWith(" Did you mean `monday`?\n");
    }
    assertThat(desk.run("threads", "show", "monday", "--channel", "leters").err())
        .contains("error[channel.unknown]: ", "Did you mean `letters`?");
  }

  @Test
  void long_values_are_folded_and_shown_whole_by_name() throws Exception {
    desk.letter("d.txt", "hello " + "word ".repeat(200));
    desk.run("run", "letters", "--thread", "long", "--yes", "--model", Desk.SCRIPT);
    var folded = desk.wide(60).run("threads", "show", "long").out();
    assertThat(folded)
        .contains("    ... 1039 characters in all:\n", "threads show long --channel letters\n");
    assertThat(folded.lines().filter(line -> line.contains("word word"))).hasSizeBetween(4, 8);
    assertThat(done("threads", "show", "long", "--full")).doesNotContain("characters in all");
    var whole = done("threads", "show", "long", "--channel", "letters");
    assertThat(whole).contains("word ".repeat(199) + "word").hasLineCount(1);
    var report = done("threads", "show", "long", "--channel", "report");
    assertThat(report.strip()).endsWith("report.txt").doesNotContain("\"");
  }

  @Test
  void no_store_has_no_threads_and_is_not_made() {
    assertThat(done("threads", "list", "--store", "none.db")).isEmpty();
    refused("thread.unknown", "threads", "show", "t", "--store", "none.db");
    assertThat(desk.folder().resolve("none.db")).doesNotExist();
  }

  @Test
  @Tag("G20")
  void a_thread_is_replayed_without_its_model_and_a_difference_is_reported() throws Exception {
    assertThat(desk.resume("t", "--yes").exit()).isZero();
    var history = done("threads", "history", "t");
    assertThat(done("replay", "t")).isEqualTo("3 supersteps agree.\n");
    assertThat(done("replay", "t", "--json"))
        .startsWith("{\"thread\":\"t\",\"supersteps\":3,\"equal\":true");
    assertThat(done("replay", "t", "--to", stepOne())).isEqualTo("1 superstep agrees.\n");
    assertThat(done("threads", "history", "t")).isEqualTo(history);
    desk.polite("later");
    var said = desk.run("replay", "t", "--program", "later");
    assertThat(said.exit()).isEqualTo(ExitCodes.FAILED);
    assertThat(said.err()).isEmpty();
    Golden.check("replay.txt", neutral(said.out()));
    refused("thread.unknown", "replay", "nobody");
    refused("thread.unknown", "replay", "t", "--from", "nothing");
  }

  @Test
  void a_fork_continues_independently_with_its_own_results() throws Exception {
    var made = done("threads", "fork", "t", "--from", stepOne(), "--as", "u");
    assertThat(made)
        .isEqualTo(
            "thread u begins from step 1 of thread t\n"
                + "resume with: ./superstep resume u --model scripted://script.json"
                + " --output superstep-out/u\n");
    var command = made.lines().toList().getLast().replaceFirst(".*: \\./superstep ", "");
    var said = desk.run((command + " --yes").split(" "));
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(desk.report("u")).contains("pay 1000: sent");
    assertThat(done("threads", "show", "t")).contains("2 questions are open:");
    refused("thread.taken", "threads", "fork", "t", "--as", "u");
    refused("thread.same-name", "threads", "fork", "t", "--as", "t");
    refused("thread.unknown", "threads", "fork", "t", "--from", "nothing", "--as", "v");
  }

  @Test
  void a_copy_can_be_answered_apart() throws Exception {
    done("threads", "copy", "t", "--as", "u");
    assertThat(desk.resume("u", "--yes", "--output", "superstep-out/u").exit()).isZero();
    assertThat(done("threads", "show", "t")).contains("2 questions are open:");
    refused("thread.taken", "threads", "copy", "t", "--as", "u");
  }

  @Test
  void a_thread_that_is_rewound_does_its_work_again() throws Exception {
    var one = stepOne();
    assertThat(desk.resume("t", "--yes").exit()).isZero();
    assertThat(done("threads", "rewind", "t", "--to", one))
        .contains("thread t goes on from step 1");
    assertThat(done("threads", "show", "t")).contains("next        settle x 3");
    assertThat(done("threads", "history", "t")).contains("fork");
    assertThat(desk.resume("t", "--yes").exit()).isZero();
    assertThat(desk.log("t").stream().filter("hello"::equals)).hasSize(2);
  }

  @Test
  void a_thread_is_deleted_only_after_confirmation() {
    refused("threads.not-agreed", "threads", "delete", "t");
    desk.typing("n");
    assertThat(done("threads", "delete", "t")).endsWith("nothing was deleted\n");
    assertThat(done("threads", "list")).hasLineCount(2);
    desk.typing("y");
    assertThat(done("threads", "delete", "t")).endsWith("thread t is deleted\n");
    assertThat(done("threads", "list")).isEmpty();
    refused("thread.unknown", "threads", "delete", "t", "--yes");
    refused("thread.unknown", "events", "t");
  }

  @Test
  void a_lease_is_broken_only_after_confirmation() {
    refused("thread.idle", "threads", "break", "t", "--yes");
    refused("thread.unknown", "threads", "break", "nothing", "--yes");
    Lease lease;
    try (var store = SqliteCheckpointer.open(desk.folder().resolve(".superstep/superstep.db"))) {
      lease = store.acquire("t", "a process that is far away", Duration.ofHours(1));
    }
    refused("threads.not-agreed", "threads", "break", "t");
    desk.typing("n");
    assertThat(done("threads", "break", "t"))
        .contains("held by a process that is far away until", "may be done twice")
        .endsWith("nothing was changed\n");
    desk.typing("y");
    assertThat(done("threads", "break", "t")).endsWith("thread t is free\n");
    try (var store = SqliteCheckpointer.open(desk.folder().resolve(".superstep/superstep.db"))) {
      assertThatThrownBy(() -> store.renew(lease, Duration.ofHours(1)))
          .isInstanceOf(LeaseLost.class);
    }
    assertThat(done("threads", "delete", "t", "--yes")).endsWith("thread t is deleted\n");
  }

  @Test
  void old_checkpoints_are_pruned_and_the_thread_continues() {
    refused("threads.not-agreed", "threads", "prune", "t", "--keep", "1");
    assertThat(done("threads", "prune", "t", "--keep", "1", "--older-than", "P1D", "--yes"))
        .isEqualTo("0 checkpoints are deleted\n");
    assertThat(done("threads", "prune", "t", "--keep", "1", "--yes"))
        .isEqualTo("1 checkpoint is deleted\n");
    assertThat(done("threads", "history", "t")).hasLineCount(2);
    assertThat(desk.resume("t", "--yes").exit()).isZero();
  }

  @Test
  void a_thread_without_a_run_cannot_be_cancelled() {
    refused("thread.idle", "threads", "cancel", "t");
    refused("thread.unknown", "threads", "cancel", "nothing");
  }

  @Test
  @Tag("T124")
  void the_events_of_all_runs_are_shown_in_order() throws Exception {
    desk.run(
        "run",
        "letters",
        "--thread",
        "one",
        "--concurrency",
        "1",
        "--yes",
        "--payloads",
        "--model",
        Desk.SCRIPT);
    Golden.check("events.txt", neutral(done("events", "one")));
    var all = done("events", "one", "--json").lines().toList();
    var offsets = all.stream().map(line -> Json.parse(line).as(Entry.class).offset()).toList();
    assertThat(offsets).isSorted().startsWith(1L).hasSize(offsets.getLast().intValue());
    assertThat(done("events", "one", "--json", "--after", "3").lines().toList())
        .isEqualTo(all.subList(3, all.size()));
    assertThat(done("events", "one", "--follow", "--until-end", "--json").lines().toList())
        .isEqualTo(all);
  }

  @Test
  @Tag("T102")
  void events_are_chosen_by_node_kind_and_run() {
    assertThat(desk.resume("t", "--yes").exit()).isZero();
    var settled = done("events", "t", "--node", "settle", "--kind", "node.finished");
    assertThat(settled).hasLineCount(4);
    var run = done("events", "t", "--kind", "run.started", "--json").lines().toList().getFirst();
    var id = Json.parse(run).as(Entry.class).run();
    var first = done("events", "t", "--run", id);
    assertThat(first).contains("run.interrupted").doesNotContain("run.completed");
    assertThat(List.of(done("events", "t", "--run", "none", "--kind", "none"))).containsOnly("");
    assertThat(desk.run("events", "t", "--node", "setle").err())
        .isEqualTo("superstep: no event is about node `setle`; did you mean `settle`?\n");
  }
}
