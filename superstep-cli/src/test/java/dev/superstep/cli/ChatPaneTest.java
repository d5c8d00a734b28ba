package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.screen.Pane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `superstep chat` with a person at a terminal, seen through tmux, and after a kill.
@Timeout(180)
class ChatPaneTest {
  private static final String[] CHAT = {
    "chat", "pal", "--model", Pal.MODEL, "--thread", "t", "--color", "never"
  };

  @TempDir Path temp;
  private Desk desk;
  private Pal pal;

  @BeforeAll
  static void look_for_tmux() {
    Pane.assumeTmux();
  }

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    pal = Pal.on(desk, 100);
    // Compiles it, so that no screen begins with that.
    assertThat(desk.run("graph", "pal").exit()).isZero();
  }

  private Pane open(int columns) throws IOException {
    var variables = new HashMap<String, String>();
    variables.put("HOME", desk.folder().resolve("home").toString());
    variables.put("XDG_CONFIG_HOME", desk.folder().resolve("home").toString());
    variables.put("PATH", System.getenv("PATH"));
    return Pane.open(desk.folder(), new Pane.Size(columns, 24), variables, desk.words(CHAT));
  }

  private static void say(Pane pane, String text) {
    pane.awaitPrompt();
    pane.writes("> ", text).keys("Enter");
  }

  private static void golden(String name, String screen) throws IOException {
    Golden.check("screens/" + name, screen.replaceAll("\\d+ ms", "0 ms"));
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 80})
  void an_answer_tools_and_an_approval_fit_the_width(int columns) throws Exception {
    try (var pane = open(columns)) {
      say(pane, "much");
      pane.await("thirteen.");
      say(pane, "pay");
      pane.await(screen -> screen.contains("a approve") && Pane.isAsking(screen), "asks for a key");
      golden("chat-asks-" + columns + ".txt", pane.text());
      pane.keys("a");
      pane.await("It is paid.");
      golden("chat-" + columns + ".txt", pane.awaitPrompt());
      assertThat(pal.log("t")).containsExactly("paid 17");
      pane.keys("C-d");
      pane.awaitEnd();
      assertThat(pane.history()).contains("resume with: ./superstep chat pal");
    }
  }

  @Test
  void ctrl_c_cancels_the_turn_and_twice_at_the_prompt_the_conversation() throws Exception {
    try (var pane = open(80)) {
      say(pane, "both");
      pane.await("* hold");
      pane.keys("C-c");
      pane.await("(Cancelled;");
      say(pane, "Hello");
      pane.await("| Hello yourself.");
      pane.awaitPrompt();
      pane.keys("C-c");
      pane.await("(Ctrl-C again leaves.)");
      pane.keys("C-c");
      pane.awaitEnd();
    }
  }

  @Test
  void after_a_kill_the_turn_goes_on_and_tools_that_finished_do_not_run_again() throws Exception {
    var process = desk.start("chat", "pal", "--model", Pal.MODEL, "--thread", "t");
    process.getOutputStream().write("both\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    // The thread notes a tool's result before the other one has any.
    await(() -> pal.log("t").contains("waiting") && said().contains("* note done"));
    var busy = desk.piping("Hello\n").run("chat", "pal", "--model", Pal.MODEL, "--thread", "t");
    assertThat(busy.exit()).isEqualTo(dev.superstep.cli.host.ExitCodes.FAILED);
    assertThat(busy.err()).contains("error[thread.busy]: Thread `t` is at work in ");
    process.destroyForcibly().waitFor();
    assertThat(desk.run("threads", "break", "t", "--yes").exit()).isZero();
    pal.release("t");
    try (var pane = open(80)) {
      pane.await("| Both are done.");
      golden("chat-after-kill.txt", pane.awaitPrompt());
    }
    assertThat(pal.log("t").stream().filter("a"::equals)).hasSize(1);
  }

  private String said() throws IOException {
    return Files.readString(desk.folder().resolve("stderr.txt"));
  }

  private interface Wish {
    boolean isTrue() throws IOException;
  }

  private static void await(Wish wish) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!wish.isTrue()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
