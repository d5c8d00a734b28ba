package dev.superstep.terminal.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Shell text of this machine (scripts, their lines, examples of manual pages), read by this parser
/// and by `bash -n`. The gate compares some; `-Dsuperstep.cases=N` sets how many.
@Tag("W45")
@Tag("TH14")
class MachineCorpusTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 400);
  private static final List<Path> FOLDERS =
      Stream.of("/etc", "/usr/lib", "/usr/share", "/usr/bin", "/usr/sbin").map(Path::of).toList();
  private static final Path MANUALS = Path.of("/usr/share/man");
  private static final long SIZE_MAX = 200_000;
  private static final Pattern SHEBANG = Pattern.compile("#! ?/(usr/)?bin/(env )?(ba|da)?sh\\b.*");

  @Test
  void nearly_all_that_bash_accepts_is_parsed_and_the_two_agree() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "needs bash to compare with");
    var texts = sample();
    assumeTrue(texts.size() > 50, "needs shell scripts on this machine");
    int accepted = 0;
    int parsed = 0;
    var disagreements = new ArrayList<String>();
    for (var text : texts) {
      boolean isValid = bashAccepts(text);
      var script = ShellScript.parse(text);
      if (isValid) accepted++;
      if (isValid && script.isComplete()) parsed++;
      if (isValid != script.isComplete()) disagreements.add(shown(text, isValid, script));
    }
    disagreements.forEach(System.out::println);
    System.out.printf(
        "long: %d texts, %d accepted by bash, %d of those parsed, %d disagreements%n",
        texts.size(), accepted, parsed, disagreements.size());
    assertThat(100.0 * parsed / accepted).isGreaterThanOrEqualTo(99.0);
    assertThat(disagreements.size()).isLessThanOrEqualTo(Math.max(4, texts.size() / 100));
  }

  private static String shown(String text, boolean isValid, ShellScript script) {
    var first = text.lines().findFirst().orElse("");
    var why = script.isComplete() ? "" : script.diagnostics().getFirst().message();
    return "long: bash " + (isValid ? "accepts" : "rejects") + ": " + first + "  " + why;
  }

  private static List<String> sample() throws IOException {
    Set<String> texts = new LinkedHashSet<>();
    // A gate of few cases does not walk the whole machine.
    int most = CASES * 10;
    for (var folder : FOLDERS) {
      try (var files =
          Files.find(
              folder, 8, (path, about) -> about.isRegularFile() && about.size() < SIZE_MAX)) {
        for (var file : (Iterable<Path>) files.limit(CASES * 50L)::iterator) {
          if (texts.size() < most && isScript(file)) add(texts, Files.readAllBytes(file));
        }
      } catch (java.io.UncheckedIOException e) {
        System.out.println("long: not readable: " + folder);
      }
    }
    manuals(texts, most);
    var all = new ArrayList<>(texts);
    java.util.Collections.shuffle(all, new Random(1));
    return all.subList(0, Math.min(CASES, all.size()));
  }

  private static boolean isScript(Path file) {
    try (var in = Files.newInputStream(file)) {
      var head = new String(in.readNBytes(64), StandardCharsets.ISO_8859_1);
      return SHEBANG.matcher(head.lines().findFirst().orElse("")).matches();
    } catch (IOException e) {
      return false;
    }
  }

  private static void add(Set<String> texts, byte[] bytes) {
    var text = new String(bytes, StandardCharsets.UTF_8);
    if (text.indexOf(0) >= 0) return;
    texts.add(text);
    var joined = text.replace("\\\n", " ");
    for (var line : joined.split("\n")) {
      var bare = line.strip();
      if (!bare.isEmpty() && !bare.startsWith("#") && !bare.endsWith("\\")) texts.add(bare);
    }
  }

  // Lines of examples, which begin with a prompt.
  private static void manuals(Set<String> texts, int most) throws IOException {
    if (!Files.isDirectory(MANUALS)) return;
    try (var files = Files.find(MANUALS, 2, (path, about) -> path.toString().endsWith(".gz"))) {
      for (var file : (Iterable<Path>) files.limit(CASES)::iterator) {
        if (texts.size() >= 2 * most) return;
        try (var in = new GZIPInputStream(Files.newInputStream(file))) {
          var page = new String(in.readNBytes((int) SIZE_MAX), StandardCharsets.UTF_8);
          page.lines()
              .filter(line -> line.startsWith("$ ") || line.startsWith("% "))
              .map(line -> line.substring(2).replace("\\-", "-").replaceAll("\\\\f[A-Z]", ""))
              .filter(line -> !line.endsWith("\\") && line.indexOf(0) < 0)
              .forEach(texts::add);
        }
      }
    }
  }

  private static boolean bashAccepts(String text) throws IOException, InterruptedException {
    var file = Files.createTempFile("superstep-corpus", ".sh");
    try {
      Files.writeString(file, text);
      var process =
          new ProcessBuilder("/bin/bash", "-n", file.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      return process.exitValue() == 0;
    } finally {
      Files.delete(file);
    }
  }
}
