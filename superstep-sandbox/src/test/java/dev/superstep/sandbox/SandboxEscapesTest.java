package dev.superstep.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("TH1")
@Tag("TH3")
@Tag("TH4")
@Tag("TH5")
@Tag("TH17")
@Timeout(300)
class SandboxEscapesTest {
  /// Cases that T1 does not hold by Landlock alone.
  private static final Set<String> METADATA = Set.of("mode, owner, times");

  /// Cases that even T0 holds.
  private static final Set<String> OF_PROCESSES =
      Set.of("descriptors", "the terminal", "files above the limit", "a core file");

  /// Without the cells that another one shows as well.
  @Test
  void every_tier_holds_what_it_says() throws Exception {
    var rows =
        EscapeTable.run(
            Sandbox.open(),
            (escape, column) ->
                switch (column) {
                  case T0 -> OF_PROCESSES.contains(escape.name());
                  case T1, T2 -> true;
                  case T1_LOCKED -> METADATA.contains(escape.name());
                });
    assertThat(rows).hasSize(EscapeCase.ALL.size());
    assertThat(problems(rows)).isEmpty();
  }

  @Test
  @Tag("long")
  void the_whole_table_is_as_the_documentation_has_it() throws Exception {
    var rows = EscapeTable.run(Sandbox.open(), (_, _) -> true);
    System.out.println(EscapeTable.text(rows));
    assertThat(problems(rows)).isEmpty();
  }

  @Test
  @Tag("long")
  void every_tier_holds_what_it_says_for_another_user(@TempDir Path temp) throws Exception {
    var setpriv = Path.of("/usr/bin/setpriv");
    boolean canChange = Machine.current().isRoot() && Files.isExecutable(setpriv);
    if (!canChange) System.out.println("skipped: only root can become another user, by setpriv");
    assumeTrue(canChange, "only root can become another user, by setpriv");
    var classes = temp.resolve("classes");
    for (var part : System.getProperty("java.class.path").split(":")) {
      if (Files.isDirectory(Path.of(part))) copy(Path.of(part), classes);
    }
    new ProcessBuilder("chmod", "-R", "a+rX", temp.toString()).inheritIO().start().waitFor();
    var process =
        new ProcessBuilder(
                setpriv.toString(),
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes.toString(),
                EscapeTable.class.getName())
            .redirectErrorStream(true)
            .start();
    var text = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(250, TimeUnit.SECONDS)).isTrue();
    System.out.println("as nobody:\n" + text);
    var rows = text.lines().filter(line -> line.contains(EscapeTable.HELD)).toList();
    assertThat(rows).hasSize(EscapeCase.ALL.size());
    assertThat(rows)
        .allSatisfy(row -> {
          var cells = row.split(" \\| ");
          boolean isOpen = METADATA.contains(cells[1]);
          assertThat(cells[3]).as(row).isEqualTo(isOpen ? EscapeTable.OPEN : EscapeTable.HELD);
          assertThat(cells[4]).as(row).isEqualTo(EscapeTable.HELD);
          // That user may have no namespaces.
          assertThat(cells[5]).as(row).matches("(held|not available).*");
        });
  }

  private static void copy(Path from, Path to) throws Exception {
    try (Stream<Path> all = Files.walk(from)) {
      for (var one : all.toList()) {
        var target = to.resolve(from.relativize(one).toString());
        if (Files.isDirectory(one)) Files.createDirectories(target);
        else Files.copy(one, target);
      }
    }
  }

  private static List<String> problems(List<EscapeTable.Row> rows) {
    var problems = new ArrayList<String>();
    for (var row : rows) {
      row.seen()
          .forEach((column, seen) -> {
            if (seen.equals("not available")) {
              System.out.println("skipped: " + column + " is not available on this machine");
            } else if (!seen.equals(expected(row.escape().name(), column, seen))) {
              problems.add("%s in %s was %s".formatted(row.escape().name(), column, seen));
            }
          });
    }
    return problems;
  }

  private static String expected(String name, EscapeTable.Column column, String seen) {
    return switch (column) {
      case T0 -> OF_PROCESSES.contains(name) ? EscapeTable.HELD : seen;
      // Pinned: whoever relies on T1 for metadata must lock it.
      case T1 -> METADATA.contains(name) ? EscapeTable.OPEN : EscapeTable.HELD;
      case T1_LOCKED, T2 -> EscapeTable.HELD;
    };
  }
}
