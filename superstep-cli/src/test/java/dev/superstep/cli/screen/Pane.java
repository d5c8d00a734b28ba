package dev.superstep.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// A terminal by tmux, with a program in it, as a person would see it. One thread at a time.
public final class Pane implements AutoCloseable {
  private static final Duration WAIT_MAX = Duration.ofSeconds(30);
  private static final int CALL_MAX_SECONDS = 30;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(40);

  // What comes faster is no person: the program takes it for a paste.
  private static final Duration KEYSTROKE = Duration.ofMillis(40);

  private final Path socket;

  private Pane(Path socket) {
    this.socket = socket;
  }

  /// The size of a pane.
  public record Size(int columns, int rows) {}

  /// Skips the test where there is no tmux, and says so.
  public static void assumeTmux() {
    boolean isThere = called(List.of("tmux", "-V")).startsWith("tmux ");
    if (!isThere) System.out.println("skipped: there is no tmux, which these tests look through");
    assumeThat(isThere).as("tmux").isTrue();
  }

  /// Starts a program in a terminal of its own. The pane stays when the program has ended.
  ///
  /// @param folder where the program runs; the socket of tmux is there, too
  /// @param words the program and its arguments
  public static Pane open(Path folder, Size size, Map<String, String> variables, List<String> words)
      throws IOException {
    var socket = folder.resolve("tmux.sock");
    // In a file, since tmux takes no command of more than 16 KiB, and class paths are long.
    var start = folder.resolve("start.sh");
    Files.writeString(
        start, "exec " + words.stream().map(Pane::quoted).collect(Collectors.joining(" ")));
    var command =
        new ArrayList<>(List.of("tmux", "-u", "-f", "/dev/null", "-S", socket.toString()));
    command.addAll(List.of("new-session", "-d", "-x", "" + size.columns(), "-y", "" + size.rows()));
    command.addAll(List.of("-c", folder.toString()));
    variables.forEach((name, value) -> command.addAll(List.of("-e", name + "=" + value)));
    command.add("exec sh " + quoted(start.toString()));
    command.addAll(List.of(";", "set-option", "-g", "remain-on-exit", "on"));
    command.addAll(List.of(";", "set-option", "-g", "remain-on-exit-format", ""));
    command.addAll(List.of(";", "set-option", "-g", "status", "off"));
    command.addAll(List.of(";", "set-option", "-g", "set-clipboard", "on"));
    command.addAll(
        List.of(";", "resize-window", "-x", "" + size.columns(), "-y", "" + size.rows()));
    assertThat(called(command)).as("tmux starts").isEmpty();
    return new Pane(socket);
  }

  /// The words that start a class of the tests in a JVM of its own.
  public static List<String> java(Class<?> type, String... arguments) {
    var words = new ArrayList<String>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    words.addAll(List.of("-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
    words.add(type.getName());
    words.addAll(List.of(arguments));
    return words;
  }

  /// Presses keys, by tmux's names, one after the other with nothing between.
  public Pane keys(String... names) {
    LockSupport.parkNanos(KEYSTROKE.toNanos());
    tmux(List.of("send-keys"), List.of(names));
    return this;
  }

  /// Types text at once.
  public Pane types(String text) {
    tmux(List.of("send-keys", "-l"), List.of(text));
    return this;
  }

  /// Types a text as a person does, key by key, and sees each character appear.
  ///
  /// @param prompt the end of what stands before it
  public Pane writes(String prompt, String text) {
    for (int i = 1; i <= text.length(); i++) {
      var so = prompt + text.substring(0, i).stripTrailing();
      var key = text.substring(i - 1, i);
      // Of which tmux would make the end of its command.
      keys("-l", key.equals(";") ? "\\;" : key);
      await(screen -> screen.replace("\n", "").contains(so.replace("\n", "")), "shows " + so);
    }
    return this;
  }

  /// Pastes text, with the marks of a paste if the program asked for them.
  public Pane pastes(String text) {
    tmux(List.of("set-buffer", "--"), List.of(text));
    tmux(List.of("paste-buffer", "-p", "-r"), List.of());
    return this;
  }

  /// Gives the window another size.
  public Pane resize(Size size) {
    tmux(List.of("resize-window", "-x", "" + size.columns(), "-y", "" + size.rows()), List.of());
    return this;
  }

  /// The text on the screen, without blanks at the ends of lines and empty lines at the end.
  public String text() {
    return tmux(List.of("capture-pane", "-p"), List.of())
            .lines()
            .map(String::stripTrailing)
            .collect(Collectors.joining("\n"))
            .stripTrailing()
        + "\n";
  }

  /// The text on the screen with the sequences that give it colours.
  public String colors() {
    return tmux(List.of("capture-pane", "-p", "-e"), List.of());
  }

  /// Everything that was printed, also what has scrolled away.
  public String history() {
    return tmux(List.of("capture-pane", "-p", "-S", "-", "-J"), List.of());
  }

  /// A variable of tmux, such as `pane_title`.
  public String variable(String name) {
    return tmux(List.of("display-message", "-p", "#{" + name + "}"), List.of()).strip();
  }

  /// What programs have put into the clipboard; empty if nothing.
  public String clipboard() {
    return tmux(List.of("list-buffers", "-F", "#{buffer_sample}"), List.of());
  }

  /// Waits until the screen shows a text, and returns the screen.
  public String await(String text) {
    return await(screen -> screen.contains(text), "shows " + text);
  }

  /// Waits for a prompt, and returns the screen.
  public String awaitPrompt() {
    return await(Pane::isAsking, "shows a prompt");
  }

  /// Returns whether a question waits for a key.
  public static boolean isAsking(String screen) {
    return screen.lines().anyMatch(line -> line.equals(">") || line.endsWith(" >"));
  }

  /// Waits until the program has ended, which is seen from its end of the terminal: tmux is not
  /// always told of the death of a process that had many threads.
  public void awaitEnd() {
    await(_ -> variable("pane_dead").equals("1"), "ends");
  }

  /// Waits until the screen is as wished, and returns it.
  public String await(Predicate<String> wish, String description) {
    long end = System.nanoTime() + WAIT_MAX.toNanos();
    var screen = text();
    while (!wish.test(screen)) {
      assertThat(System.nanoTime()).as("%s:%n%s", description, screen).isLessThan(end);
      LockSupport.parkNanos(LOOK_AGAIN.toNanos());
      screen = text();
    }
    return screen;
  }

  private String tmux(List<String> command, List<String> texts) {
    var words = new ArrayList<>(List.of("tmux", "-u", "-S", socket.toString()));
    words.addAll(command);
    words.addAll(texts);
    return called(words);
  }

  private static String called(List<String> words) {
    try {
      var builder = new ProcessBuilder(words).redirectErrorStream(true);
      builder.environment().keySet().removeIf(name -> name.startsWith("TMUX"));
      builder.environment().put("LC_ALL", "C.UTF-8");
      builder.environment().put("SHELL", "/bin/sh");
      var process = builder.start();
      process.getOutputStream().close();
      var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(CALL_MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
      return out;
    } catch (IOException e) {
      return e.toString();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  @Override
  public void close() {
    tmux(List.of("kill-server"), List.of());
  }
}
