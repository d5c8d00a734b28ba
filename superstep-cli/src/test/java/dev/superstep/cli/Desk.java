package dev.superstep.cli;

import dev.superstep.cli.command.Cli;
import dev.superstep.cli.host.Display;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.Keyboard;
import dev.superstep.cli.host.SignalHandler;
import dev.superstep.cli.host.Terminal;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A directory with the program `letters` in it, and a user who types commands there: in this
/// process, or in one of its own.
final class Desk {
  static final String SCRIPT = "scripted://script.json";
  private static final Instant NOW = Instant.parse("2026-11-21T22:18:00Z");
  private static final int WAIT_MAX_SECONDS = 60;

  private final Path folder;
  private final Map<String, String> variables = new HashMap<>();
  private final Random random = new Random(1);
  private String typed = "";
  private Display display = Display.file();
  private boolean terminal;
  private boolean breaks;
  private @Nullable Keyboard keyboard;

  Desk(Path folder) throws IOException {
    this.folder = folder.toRealPath();
    variables.put("HOME", this.folder.resolve("home").toString());
    variables.put("SUPERSTEP_CACHE", this.folder.resolve("cache").toString());
    copyClasses(this.folder.resolve("letters/target/classes/dev/superstep/cli"));
    config("[program]\nclass = \"dev.superstep.cli.LettersProgram\"\ninput = \"inbox\"\n");
    letter("a.txt", "hello");
    letter("b.txt", "pay 1000");
    letter("c.txt", "pay 2000");
    write(
        "script.json",
        """
        {"replies": [{"when": "pay", "text": "risky"}, {"when": "hello", "text": "fine"},
          {"when": "wait", "text": "fine"}]}
        """);
  }

  /// Types each line when it is asked for, and not before.
  private record Prompt(BufferedReader in) implements Keyboard {
    @Override
    public Optional<String> readLine() throws IOException {
      return Optional.ofNullable(in.readLine());
    }

    @Override
    public boolean forget() {
      return false;
    }

    @Override
    public Duration quiet() {
      return Duration.ZERO;
    }

    @Override
    public void rest(Duration time) {}

    @Override
    public long nanoTime() {
      return 0;
    }
  }

  /// Has an error where the end should be.
  private static final class Breaking extends StringReader {
    Breaking(String text) {
      super(text);
    }

    @Override
    public int read(char[] into, int from, int length) throws IOException {
      int count = super.read(into, from, length);
      if (count < 0) throw new IOException("the terminal is gone");
      return count;
    }
  }

  /// What a command did.
  record Said(int exit, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }
  }

  /// Puts another version of the program into a folder of its own.
  void polite(String name) throws IOException {
    copyClasses(folder.resolve(name).resolve("target/classes/dev/superstep/cli"));
    write(
        name + "/superstep.toml",
        "[program]\nclass = \"dev.superstep.cli.LettersProgram$Polite\"\n");
  }

  Path folder() {
    return folder;
  }

  Desk config(String toml) throws IOException {
    return write("letters/superstep.toml", toml);
  }

  Desk letter(String name, String text) throws IOException {
    return write("letters/inbox/" + name, text);
  }

  Desk write(String file, String text) throws IOException {
    var path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
    return this;
  }

  Desk variable(String name, String value) {
    variables.put(name, value);
    return this;
  }

  /// A person sits at a terminal and will type these lines.
  Desk typing(String... lines) {
    terminal = true;
    typed = String.join("\n", lines) + (lines.length == 0 ? "" : "\n");
    return this;
  }

  /// Standard output is a terminal of this width, without colours.
  Desk wide(int columns) {
    display = new Display(true, false, () -> columns);
    return this;
  }

  /// Like [#typing], but the terminal breaks after these lines.
  Desk crashing(String... lines) {
    typing(lines);
    breaks = true;
    return this;
  }

  /// Somebody types at a keyboard at times of their own.
  Desk typing(Keyboard by) {
    terminal = true;
    keyboard = by;
    return this;
  }

  /// Nobody is there; this comes on standard input.
  Desk piping(String text) {
    terminal = false;
    breaks = false;
    typed = text;
    return this;
  }

  /// The lines that the program wrote whenever it worked on a letter.
  List<String> log(String thread) throws IOException {
    return Files.readAllLines(folder.resolve("superstep-out").resolve(thread).resolve("log.txt"));
  }

  String report(String thread) throws IOException {
    return Files.readString(folder.resolve("superstep-out").resolve(thread).resolve("report.txt"));
  }

  /// Resumes a thread on the scripted model, which is a file and so has to be named again.
  Said resume(String thread, String... more) {
    var all = new ArrayList<>(List.of("resume", thread, "--model", SCRIPT));
    all.addAll(List.of(more));
    return run(all.toArray(String[]::new));
  }

  /// Runs a command in this process.
  Said run(String... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var streams =
        new Terminal(
            keyboard == null
                ? new Prompt(
                    new BufferedReader(breaks ? new Breaking(typed) : new StringReader(typed)))
                : keyboard,
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            terminal,
            false,
            display);
    var host =
        new Host(
            folder,
            variables,
            streams,
            "./superstep",
            new Host.Chance(() -> NOW, random),
            new SignalHandler());
    int exit = Cli.run(host, arguments);
    return new Said(exit, plain(out), plain(err));
  }

  /// Runs a command in a JVM of its own, which does not have the program on its class path.
  Said spawn(String... arguments) throws IOException, InterruptedException {
    var process = start(arguments);
    process.getOutputStream().write(typed.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    return ended(process);
  }

  Process start(String... arguments) throws IOException {
    var builder = new ProcessBuilder(words(arguments)).directory(folder.toFile());
    surround(builder);
    builder.redirectError(folder.resolve("stderr.txt").toFile());
    return builder.start();
  }

  /// The words that start a command in a JVM of its own.
  List<String> words(String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Dsuperstep.command=./superstep"));
    command.addAll(List.of("-cp", classPath(), Main.class.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  /// The variables of this desk, and none of the command's from around.
  void surround(ProcessBuilder builder) {
    builder.environment().keySet().removeIf(name -> name.startsWith("SUPERSTEP_"));
    builder.environment().remove("XDG_CONFIG_HOME");
    builder.environment().putAll(variables);
  }

  Said ended(Process process) throws IOException, InterruptedException {
    var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(WAIT_MAX_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("the command did not end");
    }
    var err = Files.readString(folder.resolve("stderr.txt"));
    return new Said(process.exitValue(), out, err);
  }

  /// A text that is equal on every machine.
  String neutral(String text) {
    return text.replace(folder.toString(), "DESK")
        .replaceAll("\\b(\\d+) \\([a-z0-9]{10}\\)", "$1 (ID)")
        .replaceAll("--answer ('?)[a-z0-9]{10}=", "--answer $1ID=");
  }

  private static String classPath() {
    var tests = ours().toString();
    return String.join(
        java.io.File.pathSeparator,
        List.of(System.getProperty("java.class.path").split(java.io.File.pathSeparator)).stream()
            .filter(entry -> !entry.equals(tests))
            .toList());
  }

  private static void copyClasses(Path target) throws IOException {
    Files.createDirectories(target);
    try (var files = Files.list(ours().resolve("dev/superstep/cli"))) {
      for (var file : files.toList()) {
        var name = file.getFileName().toString();
        if (name.startsWith("LettersProgram")) Files.copy(file, target.resolve(name));
      }
    }
  }

  private static Path ours() {
    try {
      var source = Desk.class.getProtectionDomain().getCodeSource().getLocation();
      return Path.of(source.toURI());
    } catch (java.net.URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String plain(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
