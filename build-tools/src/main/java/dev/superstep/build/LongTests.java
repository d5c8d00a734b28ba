package dev.superstep.build;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Runs the long forms of the tests: `LongTests ROOT [PART ...] [--again]`, all parts if none is
/// named. Each test class is a Maven run of its own, and its result is written to `docs/testing.md`
/// at once. A run that was interrupted goes on with the classes that have not passed at this
/// commit. One thread.
final class LongTests {
  private static final Pattern COUNTS =
      Pattern.compile("Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+)");
  private static final Pattern MUTATIONS =
      Pattern.compile("Generated (\\d+) mutations Killed (\\d+) .*");
  // A line of a test's output that belongs into the table.
  private static final String FIGURE = "long: ";
  private static final String RESULTS = "docs/testing.md";
  private static final int COMMIT_DIGITS = 10;

  private final Path root;
  private final LongResults results;
  private final String commit;
  private final boolean again;

  private LongTests(Path root, boolean again) throws IOException, InterruptedException {
    this.root = root;
    this.results = new LongResults(root.resolve(RESULTS));
    this.commit = commit(root);
    this.again = again;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    var names = new ArrayList<>(List.of(arguments));
    var root = Path.of(names.removeFirst()).toAbsolutePath().normalize();
    boolean again = names.remove("--again");
    var unknown = names.stream().filter(name -> LongPart.named(name).isEmpty()).toList();
    if (!unknown.isEmpty()) {
      System.err.println(
          "superstep: there is no part "
              + unknown
              + " of the long tests. Parts: "
              + LongPart.ALL.stream().map(LongPart::name).collect(Collectors.joining(", ")));
      System.exit(2);
    }
    var parts =
        names.isEmpty()
            ? LongPart.ALL
            : names.stream().map(LongPart::named).map(Optional::orElseThrow).toList();
    System.exit(new LongTests(root, again).run(parts) ? 0 : 4);
  }

  private boolean run(List<LongPart> parts) throws IOException, InterruptedException {
    int passed = 0;
    int failed = 0;
    for (var part : parts) {
      for (var test : part.runs().apply(root)) {
        var before = results.find(part.name(), test.name());
        if (!again && before.filter(r -> r.passedAt(commit)).isPresent()) {
          System.out.println(part.name() + " " + test.name() + ": passed at this commit before");
          passed++;
          continue;
        }
        var result = run(part, test);
        results.put(result);
        System.out.println(part.name() + " " + test.name() + ": " + result.outcome());
        if (result.hasPassed()) passed++;
        else failed++;
      }
    }
    System.out.println(passed + " passed, " + failed + " failed");
    return failed == 0;
  }

  private LongResults.Result run(LongPart part, LongPart.Run test)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(root.resolve("superstep").toString(), "test", "-Ddev"));
    command.addAll(test.arguments());
    var log = root.resolve("target/long/" + part.name() + "-" + test.name() + ".log");
    Files.createDirectories(log.getParent());
    System.out.println(part.name() + " " + test.name() + " ... (" + root.relativize(log) + ")");
    long began = System.nanoTime();
    int exit =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    var took = Duration.ofNanos(System.nanoTime() - began);
    var lines = Files.readAllLines(log);
    return new LongResults.Result(
        part.name(),
        test.name(),
        LocalDate.now(ZoneOffset.UTC).toString(),
        commit,
        outcome(exit, lines),
        took.toSeconds() + " s",
        figures(lines));
  }

  /// The counts of the module that was asked for, which comes last.
  private static String outcome(int exit, List<String> lines) {
    for (var line : lines.reversed()) {
      var mutations = MUTATIONS.matcher(line);
      if (exit == 0 && mutations.find()) {
        return killed(Integer.parseInt(mutations.group(2)), Integer.parseInt(mutations.group(1)));
      }
      var counts = COUNTS.matcher(line);
      if (!counts.find()) continue;
      int skipped = Integer.parseInt(counts.group(4));
      int run = Integer.parseInt(counts.group(1)) - skipped;
      if (exit != 0) return "failed";
      return run == 0
          ? "failed: nothing ran"
          : run + " passed" + (skipped == 0 ? "" : ", " + skipped + " skipped");
    }
    return "failed: nothing ran";
  }

  /// Of no mutations at all nothing is known, so that is a failure, too.
  static String killed(int killed, int all) {
    boolean isEnough = all > 0 && 100L * killed >= (long) Mutation.KILLED_MIN_PERCENT * all;
    var outcome = killed + " of " + all + " mutations killed";
    return isEnough ? outcome : "failed: " + outcome;
  }

  private static String figures(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(FIGURE))
        .map(line -> line.substring(FIGURE.length()).replace("|", "\\|"))
        .collect(Collectors.joining("; "));
  }

  /// The commit that is checked out, with a plus sign if anything but the results has changed.
  private static String commit(Path root) throws IOException, InterruptedException {
    var id = git(root, "rev-parse", "HEAD").strip().substring(0, COMMIT_DIGITS);
    boolean isChanged =
        git(root, "status", "--porcelain").lines().anyMatch(line -> !line.endsWith(RESULTS));
    return isChanged ? id + "+" : id;
  }

  private static String git(Path root, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) throw new IOException(command + " failed: " + output);
    return output;
  }
}
