package dev.superstep.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.tool.ToolError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("P34")
class WorkspacePathsTest {
  @TempDir Path temp;
  private Path root;
  private Path outside;
  private Workspace workspace;

  @BeforeEach
  void make() throws IOException {
    root = Files.createDirectories(temp.toRealPath().resolve("root"));
    outside = Files.createDirectories(temp.toRealPath().resolve("outside"));
    Files.writeString(outside.resolve("secret.txt"), "secret");
    Files.createDirectories(root.resolve("a/b"));
    Files.writeString(root.resolve("a/file.txt"), "inside");
    workspace = Workspace.at(root);
  }

  @Test
  void relative_paths_are_below_the_root_and_absolute_ones_may_be() {
    assertThat(workspace.resolve("a/file.txt")).isEqualTo(root.resolve("a/file.txt"));
    assertThat(workspace.resolve("./a//file.txt")).isEqualTo(root.resolve("a/file.txt"));
    assertThat(workspace.resolve("a/b/../file.txt")).isEqualTo(root.resolve("a/file.txt"));
    assertThat(workspace.resolve(root.resolve("a/file.txt").toString()))
        .isEqualTo(root.resolve("a/file.txt"));
    assertThat(workspace.resolve("")).isEqualTo(root);
    assertThat(workspace.resolve("new/deeper/file.txt"))
        .isEqualTo(root.resolve("new/deeper/file.txt"));
    assertThat(workspace.resolve("...")).isEqualTo(root.resolve("..."));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..",
        "../outside/secret.txt",
        "a/../../outside/secret.txt",
        "new/../../outside",
        "../root/a/file.txt",
        "/",
        "/etc/passwd",
        "//etc/passwd",
        "~",
        "~/.ssh/id_rsa",
        "file:///etc/passwd",
        "file:/etc/passwd",
        "FILE:secret",
        "http://example.org/x",
        "C:\\Windows",
        "c:/Windows",
        "C:",
        "\\\\server\\share",
        "..\\outside",
        "a\u0000.txt",
        "a\nb",
        "a\u202Etxt.exe"
      })
  void what_leads_out_or_is_not_plainly_a_path_is_refused(String path) {
    assertThatThrownBy(() -> workspace.resolve(path))
        .isInstanceOfSatisfying(
            ToolError.PathEscape.class, e -> assertThat(e.path()).isEqualTo(path));
    assertThatThrownBy(() -> workspace.write(path, "x")).isInstanceOf(ToolError.PathEscape.class);
  }

  @Test
  void an_absolute_path_with_dots_is_judged_by_where_it_leads() {
    assertThat(workspace.resolve(root + "/../root/a/file.txt"))
        .isEqualTo(root.resolve("a/file.txt"));
    assertThatThrownBy(() -> workspace.resolve(root + "/../outside/secret.txt"))
        .isInstanceOf(ToolError.PathEscape.class);
    assertThatThrownBy(() -> workspace.resolve(root + "-other/file.txt"))
        .isInstanceOf(ToolError.PathEscape.class);
  }

  @Test
  void a_link_is_followed_if_its_target_is_inside() throws IOException {
    Files.createSymbolicLink(root.resolve("link.txt"), Path.of("a/file.txt"));
    Files.createSymbolicLink(root.resolve("folder"), root.resolve("a"));
    assertThat(workspace.resolve("link.txt")).isEqualTo(root.resolve("a/file.txt"));
    assertThat(workspace.read("folder/file.txt")).isEqualTo("inside");
    workspace.write("link.txt", "changed");
    assertThat(root.resolve("a/file.txt")).hasContent("changed");
    assertThat(root.resolve("link.txt")).isSymbolicLink();
    workspace.write("folder/new/file.txt", "new");
    assertThat(root.resolve("a/new/file.txt")).hasContent("new");
  }

  @Test
  void a_link_whose_target_is_outside_is_refused() throws IOException {
    Files.createSymbolicLink(root.resolve("file"), outside.resolve("secret.txt"));
    Files.createSymbolicLink(root.resolve("folder"), outside);
    Files.createSymbolicLink(root.resolve("up"), Path.of("../outside"));
    Files.createSymbolicLink(root.resolve("a/chain"), Path.of("../folder"));
    for (var path : new String[] {"file", "folder/secret.txt", "up", "a/chain/secret.txt"}) {
      assertThatThrownBy(() -> workspace.read(path))
          .as(path)
          .isInstanceOf(ToolError.PathEscape.class);
    }
    for (var path : new String[] {"file", "folder/new.txt", "up/new/file.txt"}) {
      assertThatThrownBy(() -> workspace.write(path, "x"))
          .as(path)
          .isInstanceOf(ToolError.PathEscape.class);
    }
    assertThat(outside.resolve("secret.txt")).hasContent("secret");
    assertThat(outside).isDirectoryNotContaining("glob:**new*");
  }

  @Test
  void dots_after_a_link_lead_to_where_the_link_is() throws IOException {
    Files.createDirectories(outside.resolve("deep"));
    Files.createSymbolicLink(root.resolve("link"), outside.resolve("deep"));
    assertThat(workspace.resolve("link/../a/file.txt")).isEqualTo(root.resolve("a/file.txt"));
  }

  @Test
  void a_link_to_nothing_is_refused_since_a_write_would_make_its_target() throws IOException {
    Files.createSymbolicLink(root.resolve("dangling"), outside.resolve("made.txt"));
    assertThatThrownBy(() -> workspace.write("dangling", "x"))
        .isInstanceOf(ToolError.PathEscape.class);
    assertThatThrownBy(() -> workspace.write("dangling/below", "x"))
        .isInstanceOf(ToolError.PathEscape.class);
    assertThat(outside.resolve("made.txt")).doesNotExist();
  }

  @Test
  void links_in_a_circle_are_an_error() throws IOException {
    Files.createSymbolicLink(root.resolve("one"), Path.of("two"));
    Files.createSymbolicLink(root.resolve("two"), Path.of("one"));
    assertThatThrownBy(() -> workspace.read("one")).isInstanceOf(ToolError.Io.class);
  }

  @Test
  void a_root_may_be_named_by_a_link() throws IOException {
    var link = Files.createSymbolicLink(temp.resolve("alias"), root);
    var aliased = Workspace.at(link);
    assertThat(aliased.root()).isEqualTo(root);
    assertThat(aliased.resolve(link.resolve("a/file.txt").toString()))
        .isEqualTo(root.resolve("a/file.txt"));
  }

  @Test
  void a_trusted_root_may_be_read_and_only_if_it_says_so_written() {
    var secret = outside.resolve("secret.txt").toString();
    var reading = workspace.reading(outside);
    assertThat(reading.read(secret)).isEqualTo("secret");
    assertThatThrownBy(() -> reading.write(secret, "x"))
        .isInstanceOf(ToolError.PathEscape.class)
        .hasMessageContaining("only be read");
    assertThatThrownBy(() -> workspace.read(secret)).isInstanceOf(ToolError.PathEscape.class);
    workspace.writing(outside).write(secret, "changed");
    assertThat(outside.resolve("secret.txt")).hasContent("changed");
  }

  @Test
  void of_roots_within_each_other_the_inner_one_decides() {
    var guarded = workspace.reading(root.resolve("a"));
    assertThat(guarded.read("a/file.txt")).isEqualTo("inside");
    assertThatThrownBy(() -> guarded.write("a/file.txt", "x"))
        .isInstanceOf(ToolError.PathEscape.class);
    assertThatThrownBy(() -> guarded.write("a", "x")).isInstanceOf(ToolError.PathEscape.class);
    assertThat(guarded.write("b.txt", "x")).isTrue();
  }

  @Test
  void what_one_name_is_the_file_system_says() throws IOException {
    Files.writeString(root.resolve("\u00C9t\u00E9.txt"), "composed");
    for (var variant : new String[] {"E\u0301te\u0301.txt", "\u00E9T\u00C9.TXT", "A/FILE.TXT"}) {
      var said = root.resolve(variant);
      var found = workspace.resolve(variant);
      assertThat(Files.exists(found)).isEqualTo(Files.exists(said));
      if (Files.exists(said)) assertThat(Files.isSameFile(found, said)).isTrue();
      assertThat(found).startsWithRaw(root);
    }
  }

  @Test
  void a_workspace_needs_a_directory() {
    assertThatThrownBy(() -> Workspace.at(root.resolve("none")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("needs a directory that exists");
    assertThatThrownBy(() -> Workspace.at(root.resolve("a/file.txt")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
