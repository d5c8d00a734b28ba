package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `superstep repl` with cells that are piped, and with a person who types lines.
@Timeout(120)
class ReplTest {
  private static final String ALLOW =
      """
      model = "small"

      [models]
      small = "scripted://small.json"

      [tools]
      root = "notes"
      write = true

      [limits]
      model_calls = 3
      """;

  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    desk.write("session.toml", ALLOW).write("notes/a.txt", "pay 12\n");
    desk.write(
        "small.json",
        """
        {"replies": [{"when": "Sum", "text": "twelve"}, {"when": "Evil", "text": "\\u001b]0;x\\u0007\\u001b[2J"}]}
        """);
  }

  private String trust() throws IOException {
    try {
      var bytes = Files.readAllBytes(desk.folder().resolve("session.toml"));
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private Desk.Said allowed(String... more) throws IOException {
    var words = new ArrayList<>(List.of("repl", "--allow", "session.toml", "--trust", trust()));
    words.addAll(List.of(more));
    return desk.run(words.toArray(String[]::new));
  }

  private static String thread(Desk.Said said) {
    return said.err().replaceAll("(?s).*?thread (repl-[a-z0-9-]+).*", "$1");
  }

  @Test
  @Tag("S1")
  @Tag("W11")
  void each_whole_statement_of_a_pipe_is_a_cell_and_an_error_ends_the_cell_alone()
      throws IOException {
    desk.write("letter.txt", "pay 1\nhello\npay 2\n");
    desk.write("double.ragsh", "def double(n):\n    return 2 * n\n\nn = double(n)\n");
    var cells =
        """
        # Counts what is to be paid.
        n = 0
        load context letter.txt
        for hit in context.grep("pay"):
            amount = int(hit["line"].split()[1])
            n += amount
        else:
            print("sum", n)

        n
        load double.ragsh
        n
        mean(n)
        {"n": n}["m"]
        tool("read_file", path="a.txt")
        print("still here",
              n)
        show vars
        show granted
        lode x
        answer([n, "done"])
        budget
        """;
    var said = desk.piping(cells).run("repl");
    assertThat(said.exit()).isEqualTo(ExitCodes.FAILED);
    var err = said.err().replace(thread(said), "THREAD");
    var text =
        "$ superstep repl < cells\n"
            + cells
            + "\n--- output\n"
            + said.out()
            + "\n--- errors\n"
            + err;
    Golden.check("repl-piped.txt", desk.neutral(text));
  }

  @Test
  void a_session_in_which_nothing_fails_ends_with_0_and_prints_only_what_cells_give() {
    var said = desk.piping("x = [1, 2]\nx\nprint(sum(x))\n").run("repl");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out()).isEqualTo("[1, 2]\n3\n");
    assertThat(said.err()).matches("superstep: nothing is granted: .*\nsuperstep: thread \\S+\n");
  }

  @Test
  @Tag("S1")
  void a_file_of_a_stranger_grants_nothing_until_exactly_its_text_is_trusted() throws IOException {
    var refused = desk.piping("llm_query('Sum')\n").run("repl", "--allow", "session.toml");
    assertThat(refused.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(refused.err()).contains("error[allow.not-trusted]", "--trust " + trust());
    var no = desk.typing("no").run("repl", "--allow", "session.toml");
    assertThat(no.out()).contains("| small = \"scripted://small.json\"");
    assertThat(no.exit()).isEqualTo(ExitCodes.USAGE);
    var yes = desk.typing("y", "llm_query('Sum')").run("repl", "--allow", "session.toml");
    assertThat(yes.out()).contains("'twelve'");
    assertThat(yes.exit()).isZero();
    var again = desk.piping("llm_query('Sum')\n").run("repl", "--allow", "session.toml");
    assertThat(again.out()).isEqualTo("'twelve'\n");
    desk.write("session.toml", ALLOW.replace("notes", "letters"));
    var changed = desk.run("repl", "--allow", "session.toml");
    assertThat(changed.err()).contains("error[allow.not-trusted]");
  }

  @Test
  void what_is_wrong_with_the_file_is_said_with_its_place_and_the_nearest_key() throws IOException {
    desk.write("session.toml", "[limits]\nmodel_cals = 3\n");
    assertThat(allowed().err())
        .contains("session.toml:2:1: `limits.model_cals`", "Did you mean `model_calls`?");
    desk.write("session.toml", "[tools]\nroot = \"../elsewhere\"\n");
    assertThat(allowed().err()).contains("must stay inside the folder of the file");
    desk.write("session.toml", "[tools]\nroot = \".\"\nwrite = true\n");
    assertThat(allowed().err()).contains("tools must not write there");
    desk.write("session.toml", "[models]\nsmall = \"openai-compatible://http://u:key@h/v1/m\"\n");
    assertThat(allowed().err()).contains("must not hold a secret");
    desk.write("session.toml", "model = \"large\"\n[models]\nsmall = \"scripted://small.json\"\n");
    assertThat(allowed().err()).contains("`model` must be a name of [models]");
    desk.write("session.toml", "[models]\n\"a\\u001b[2J\" = \"scripted://small.json\"\n");
    assertThat(allowed().err()).contains("must be letters").doesNotContain("\u001b");
    desk.write("session.toml", "[limits]\ndepth = 9\n");
    assertThat(allowed().err()).contains("`limits.depth` must be a whole number from 0 to 4");
    desk.write("session.toml", "[models]\nsmall = \"scripted://../small.json\"\n");
    assertThat(allowed().err()).contains("error[model.not-agreed]");
    assertThat(desk.run("repl", "--trust", "abc").exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(desk.run("repl", "nowhere.ragsh").err()).contains("error[script.missing]");
    assertThat(desk.run("repl", "--resume", "unknown").err()).contains("error[thread.unknown]");
  }

  @Test
  void nothing_goes_to_a_vendor_before_the_user_agrees() throws IOException {
    desk.write("session.toml", "[models]\nlarge = \"openai://gpt-5.2\"\n");
    var said = desk.variable("OPENAI_API_KEY", "sk-none").piping("1 + 1\n");
    var refused = allowed();
    assertThat(refused.exit()).as(refused.err()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(refused.err()).contains("nobody agreed");
    var agreed = said.piping("1 + 1\n");
    assertThat(agreed.run("repl", "--allow", "session.toml", "--consent").out()).isEqualTo("2\n");
  }

  @Test
  @Tag("S14")
  void a_tool_that_changes_something_asks_at_the_terminal() throws IOException {
    var write = "tool('write_file', path='b.txt', text='x')";
    var trust = trust();
    var yes = desk.typing(write, "yes", write, "no: twice", "1 + 1");
    var said = yes.run("repl", "--allow", "session.toml", "--trust", trust);
    assertThat(said.out()).contains("The cell calls write_file.", "'Made b.txt.'\n");
    assertThat(said.err()).contains("A person rejected the call. twice");
    assertThat(said.out()).endsWith("2\n>>> ");
    assertThat(desk.folder().resolve("notes/b.txt")).hasContent("x");
  }

  @Test
  @Tag("S20")
  void a_cell_that_waits_for_a_person_goes_on_in_another_session() throws IOException {
    var cells = "a = llm_query('Sum')\ntool('write_file', path='b.txt', text=a)\nnever = 1\n";
    desk.piping(cells);
    var waits = allowed();
    assertThat(waits.exit()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(waits.err()).contains("resume with: ./superstep repl --resume " + thread(waits));
    assertThat(desk.run("resume", thread(waits)).err())
        .contains("error[thread.repl]", "repl --resume " + thread(waits));
    var goes = desk.typing("y", "a", "show vars", "budget").run("repl", "--resume", thread(waits));
    assertThat(goes.err()).contains("the last cell is resumed");
    assertThat(goes.out()).contains("'Made b.txt.'\n", "'twelve'\n", "a: str, 6\n");
    assertThat(goes.out()).contains("model calls: 2 left").doesNotContain("never");
    assertThat(desk.folder().resolve("notes/b.txt")).hasContent("twelve");
  }

  @Test
  @Tag("A12")
  void a_session_is_a_thread_like_any_other_and_can_be_forked() throws IOException {
    desk.piping("x = llm_query('Sum')\nx = x + '!'\n");
    var said = allowed("--trajectory", "kept");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(desk.run("threads", "list").out()).contains(thread(said)).contains("done");
    var fork = desk.run("threads", "fork", thread(said), "--as", "other");
    assertThat(fork.exit()).as(fork.err()).isZero();
    var there = desk.piping("x = x + '?'\nx\n").run("repl", "--resume", "other");
    assertThat(there.out()).isEqualTo("'twelve!?'\n");
    var here = desk.piping("x\n").run("repl", "--resume", thread(said));
    assertThat(here.out()).isEqualTo("'twelve!'\n");
    var replay = desk.run("rlm", "replay", "kept", "--allow", "session.toml");
    assertThat(replay.out()).isEqualTo("2 cells, the same as they were recorded\n");
  }

  @Test
  @Tag("A12")
  void the_names_of_a_folder_with_graphs_as_text_are_called_from_cells() throws IOException {
    desk.write(
        "claims/desk.rag",
        """
        graph desk { output { a text b text } channel a overwrite channel b overwrite start one
          defaults { streaming disabled }
          node one { model "m" prompt "One" into a next two }
          node two { model "m" prompt "Two" into b } }
        """);
    desk.write(
        "claims/superstep.toml",
        "[models]\nm = \"scripted://said.json\"\n[tools]\nroot = \"in\"\n");
    desk.write("claims/in/a.txt", "here");
    // Where the folder asks for it, a file is found in the folder.
    desk.write(
        "claims/said.json",
        "{\"replies\": [{\"when\": \"One\", \"text\": \"1\"}, {\"when\": \"Two\", \"text\":"
            + " \"2\"}]}");
    desk.write(
        "session.toml",
        "[program]\nfolder = \"claims\"\ntools = [\"read_file\"]\ngraphs = [\"desk\"]\n");
    desk.piping("out = graph_run('desk')\nout\ntool('read_file', path='a.txt')\nshow granted\n");
    var said = allowed("--trajectory", "kept");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out()).contains("'a': '1', 'b': '2'").contains("'here'", "graphs: desk\n");
    var replay = desk.run("rlm", "replay", "kept", "--allow", "session.toml");
    assertThat(replay.out()).isEqualTo("3 cells, the same as they were recorded\n");
    desk.write("session.toml", "[program]\nfolder = \"claims\"\ntools = [\"reed_file\"]\n");
    assertThat(allowed().err()).contains("no tool `reed_file`. Did you mean `read_file`?");
    desk.write("session.toml", "[program]\nfolder = \"claims\"\ngraphs = [\"dusk\"]\n");
    assertThat(allowed().err()).contains("has no graph `dusk`");
  }

  @Test
  void a_text_that_was_loaded_is_found_again_only_where_it_may_be(@TempDir Path elsewhere)
      throws IOException {
    var file = Files.writeString(elsewhere.resolve("far.txt"), "pay 9\n").toString();
    var said = desk.piping("len(context)\n").run("repl", "--context", file);
    assertThat(said.out()).isEqualTo("6\n");
    var resume = new String[] {"repl", "--resume", thread(said)};
    assertThat(desk.piping("1\n").run(resume).err()).contains("error[context.not-agreed]", file);
    var named = new String[] {"repl", "--resume", thread(said), "--context", file};
    assertThat(desk.piping("str(context)\n").run(named).out()).isEqualTo("'pay 9\\n'\n");
    Files.writeString(Path.of(file), "pay 8\n");
    assertThat(desk.piping("1\n").run(named).err()).contains("error[context.changed]");
  }

  @Test
  void nothing_that_a_model_says_moves_the_cursor() throws IOException {
    desk.piping("print(llm_query('Evil'))\nx = llm_query('Evil')\nraise ValueError(x)\n");
    var said = allowed();
    assertThat(said.out() + said.err()).doesNotContain("\u001b", "\u0007");
    assertThat(said.out()).contains("<U+001B>]0;x<U+0007><U+001B>[2J");
  }

  @Test
  void the_words_of_commands_are_free_for_variables() {
    var cells = "help = 3\nhelp\nload = [1]\nload[0]\nload\nshow = 2\nshow\nquit = 5\nquit + 1\n";
    var said = desk.piping(cells + ":quit\nprint('never')\n").run("repl");
    assertThat(said.out()).isEqualTo("3\n1\n[1]\n2\n6\n");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(desk.piping(":help\n").run("repl").out()).contains("load context PATH");
  }

  @Test
  void help_tells_the_functions_and_limits_that_are_there() throws IOException {
    assertThat(desk.piping("help\n").run("repl").out())
        .contains("emit(name, data=...)", "5,000,000 operations")
        .doesNotContain("llm_query(", "tool(name");
    desk.piping("help\nbudget\nstatus\n");
    assertThat(allowed().out())
        .contains("llm_query(", "tool(name, **arguments)", "model calls: 3 left")
        .contains("2,000,000 of 2,000,000 left", "resume with: ./superstep repl --resume ");
  }

  @Test
  void what_is_typed_is_remembered_privately_and_without_secrets() throws IOException {
    var settings = desk.folder().resolve("home/.config/superstep");
    var old = new StringBuilder();
    for (int i = 0; i < 1_200; i++) old.append('"').append(i).append("\"\n");
    desk.write("home/.config/superstep/repl-history.jsonl", old.toString());
    var said =
        desk.variable("OPENAI_API_KEY", "sk-proj-aaaaaaaaaaaaaaaaaaaaaaaa")
            .typing("if 1:", "    2", "", "'sk-proj-aaaaaaaaaaaaaaaaaaaaaaaa'")
            .run("repl");
    assertThat(said.exit()).isZero();
    var file = settings.resolve("repl-history.jsonl");
    var lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    assertThat(lines).hasSize(1_000).contains("\"if 1:\\n    2\\n\"");
    assertThat(String.join("", lines)).doesNotContain("sk-proj");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    var before = Files.readString(file);
    desk.piping("1 + 1\n").run("repl");
    assertThat(file).as("a pipe is nobody's history").hasContent(before);
  }
}
