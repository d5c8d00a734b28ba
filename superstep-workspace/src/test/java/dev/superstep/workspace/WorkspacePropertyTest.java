package dev.superstep.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Property;
import dev.superstep.tool.ToolError;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whatever links there are and whatever a path looks like: nothing outside is read or written.
@Tag("P34")
@Timeout(120)
class WorkspacePropertyTest {
  private static final String[] NAMES = {"a", "b", "c", "é", "E\u0301", "A", "..."};
  private static final String SECRET = "secret";

  @TempDir Path temp;
  private int made;
  private int reached;
  private int refused;

  /// A link and where it leads.
  record Link(String at, String to) {}

  record Scene(List<Link> links, List<String> paths) {}

  @Test
  void no_path_leads_out_of_a_workspace() throws InterruptedException {
    Property.check(11, 120, WorkspacePropertyTest::scene, this::holds);
    assertThat(reached).as("paths that were read or written").isGreaterThan(50);
    assertThat(refused).as("paths that were refused").isGreaterThan(50);
  }

  private static Scene scene(Choices choices) {
    return new Scene(
        choices.list(6, c -> new Link(inside(c), target(c))), choices.list(12, c -> path(c)));
  }

  private static String inside(Choices choices) {
    var depth = choices.between(1, 3);
    var path = new StringBuilder(choices.of(NAMES));
    for (int i = 1; i < depth; i++) path.append('/').append(choices.of(NAMES));
    return path.toString();
  }

  private static String target(Choices choices) {
    return choices.of("", "../", "../../", "ROOT/", "OUTSIDE/", "../outside/") + inside(choices);
  }

  private static String path(Choices choices) {
    var path = new StringBuilder(choices.of("", "", "", "/", "./", "ROOT/", "OUTSIDE/", "~/"));
    for (int i = choices.between(1, 6); i > 0; i--) {
      path.append(choices.chance(25) ? choices.of("..", ".", "", "\\", "outside") : inside(choices))
          .append(choices.of("/", "/", "//"));
    }
    return choices.chance(50) ? path.toString() : path.substring(0, path.length() - 1);
  }

  private void holds(Scene scene) throws IOException {
    var here = Files.createDirectories(temp.toRealPath().resolve("case" + made++));
    var root = Files.createDirectories(here.resolve("root"));
    var outside = Files.createDirectories(here.resolve("outside"));
    for (var folder : List.of(root, outside)) {
      for (var name : NAMES) Files.createDirectories(folder.resolve("c").resolve(name));
      Files.writeString(folder.resolve("a"), folder == root ? "inside" : SECRET);
    }
    for (var link : scene.links()) link(root.resolve(link.at()), placed(link.to(), here));
    var before = contents(outside);
    var workspace = Workspace.at(root);
    for (var path : scene.paths()) {
      try {
        tried(workspace, placed(path, here), root);
        reached++;
      } catch (ToolError.PathEscape _) {
        refused++;
      } catch (ToolError.Io _) {
        // Nothing there, or a directory: harmless.
      }
    }
    assertThat(contents(outside)).isEqualTo(before);
    try (var entries = Files.list(here)) {
      assertThat(entries).containsExactlyInAnyOrder(root, outside);
    }
  }

  private static void tried(Workspace workspace, String path, Path root) throws IOException {
    var resolved = workspace.resolve(path);
    var existing = resolved;
    while (!Files.exists(existing)) existing = existing.getParent();
    assertThat(existing.toRealPath().startsWith(root)).as(path).isTrue();
    if (Files.isRegularFile(resolved)) assertThat(workspace.read(path)).isNotEqualTo(SECRET);
    workspace.write(path, "written");
    assertThat(Files.readString(resolved)).isEqualTo("written");
    workspace.list("");
  }

  private static String placed(String path, Path here) {
    return path.replace("ROOT", here.resolve("root").toString())
        .replace("OUTSIDE", here.resolve("outside").toString());
  }

  private static void link(Path at, String to) throws IOException {
    try {
      Files.createDirectories(at.getParent());
      Files.createSymbolicLink(at, Path.of(to));
    } catch (FileSystemException _) {
      // Something else has the name, or there is no directory on the way.
    }
  }

  private static Map<String, String> contents(Path folder) throws IOException {
    var contents = new TreeMap<String, String>();
    try (var all = Files.walk(folder)) {
      for (var path : all.toList()) {
        contents.put(path.toString(), Files.isRegularFile(path) ? Files.readString(path) : "");
      }
    }
    return contents;
  }
}
