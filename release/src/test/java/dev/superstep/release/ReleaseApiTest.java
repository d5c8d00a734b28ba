package dev.superstep.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The modules of this repository, compared with the commit that is checked out as if it were the
/// tag of the last release; and with a type taken away.
@Tag("long")
class ReleaseApiTest {
  private static final String GONE = "dev/superstep/graph/RunOptions.class";

  @TempDir Path temp;

  @Test
  void a_commit_is_built_and_compared_and_a_missing_type_is_found() throws Exception {
    Commands.need("zip");
    var root = Commands.in(Commands.root());
    var commit = root.run("git", "rev-parse", "HEAD").well().text().strip();
    root.run("./superstep", "test", "-Ddev", "-q", "-Dmaven.test.skip=true", "-DskipTests").well();

    var same = root.run("./superstep", "release", "api", commit).well();
    assertThat(same.text()).contains(" 0 breaks");
    Commands.figure(same.text().lines().toList().getLast().strip() + " with the commit itself");

    var baseline = Commands.root().resolve("target/release/baseline").resolve(commit);
    var later = later(baseline);
    Commands.in(later)
        .run("zip", "-q", "-d", "superstep-graph/target/superstep-graph.jar", GONE)
        .well();
    var less = root.run("./superstep", "release", "api", baseline.toString(), later.toString());
    assertThat(less.exit()).isEqualTo(1);
    assertThat(less.text())
        .contains("superstep-graph: dev.superstep.graph.RunOptions: CLASS_REMOVED");

    Files.writeString(
        Files.createDirectories(later.resolve("docs")).resolve("api-breaks.txt"),
        "graph\\.RunOptions = the dry run took it away\n");
    var accepted =
        root.run("./superstep", "release", "api", baseline.toString(), later.toString()).well();
    assertThat(accepted.text()).contains("accepted: the dry run took it away");
  }

  /// A tree with the same jars.
  private Path later(Path baseline) throws Exception {
    var later = temp.resolve("later");
    try (var jars = Files.list(baseline)) {
      for (var jar : jars.toList()) {
        var name = jar.getFileName().toString();
        var target = later.resolve(name.replace(".jar", "")).resolve("target");
        Files.copy(jar, Files.createDirectories(target).resolve(name));
      }
    }
    return later;
  }
}
