package dev.superstep.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import dev.superstep.tool.ToolError;
import dev.superstep.workspace.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Each tree, and what is particular to it.
@Timeout(120)
final class FileTreesTest {
  @Nested
  final class InMemory extends FileTreeSuite {
    @Override
    FileTree empty() {
      return FileTree.inMemory();
    }

    @Test
    void a_file_is_no_folder_and_the_other_way_round() {
      var files = empty();
      files.write("a/b", "x", Expected.absent());

      assertThatThrownBy(() -> files.write("a", "x", Expected.absent()))
          .isInstanceOf(ToolError.Other.class);
      assertThatThrownBy(() -> files.write("a/b/c", "x", Expected.absent()))
          .isInstanceOf(ToolError.Other.class);
    }
  }

  @Nested
  final class InAStore extends FileTreeSuite {
    private static final Namespace NAMESPACE = Namespace.of("files", "ann");
    private final InMemoryStore store = InMemoryStore.open();

    @Override
    FileTree empty() {
      return FileTree.in(store, NAMESPACE);
    }

    @Test
    void other_namespaces_have_other_files_even_one_inside() {
      var files = empty();
      files.write("a", "one", Expected.absent());
      var inside = FileTree.in(store, Namespace.of("files", "ann", "old"));
      inside.write("b", "two", Expected.absent());

      assertThat(FileTreeSuite.paths(files, "")).containsExactly("a");
      assertThat(FileTreeSuite.paths(inside, "")).containsExactly("b");
    }

    @Test
    void a_file_that_no_store_can_keep_is_refused() {
      var files = empty();

      assertThatThrownBy(() -> files.write("a", "x".repeat(1_000_001), Expected.absent()))
          .isInstanceOf(ToolError.Other.class)
          .hasMessageContaining("1000001 bytes");
      files.write("a", "\u0000".repeat(150_000), Expected.absent());
      assertThat(files.read("a").text()).hasSize(150_000);
    }
  }

  @Nested
  final class OfAWorkspace extends FileTreeSuite {
    @TempDir Path folder;

    @Override
    FileTree empty() {
      return FileTree.of(Workspace.at(folder));
    }

    @Test
    void what_git_keeps_is_not_listed_and_not_changed() throws Exception {
      var files = empty();
      Files.createDirectories(folder.resolve(".git/hooks"));
      Files.writeString(folder.resolve(".git/config"), "x");
      files.write("a", "x", Expected.absent());

      assertThat(FileTreeSuite.paths(files, "")).containsExactly("a");
      assertThatThrownBy(() -> files.delete(".git/config", Expected.anything()))
          .isInstanceOf(ToolError.PathEscape.class);
      assertThatThrownBy(() -> files.write(".git/hooks/x", "x", Expected.anything()))
          .isInstanceOf(ToolError.PathEscape.class);
    }

    @Test
    void links_out_are_neither_listed_nor_used(@TempDir Path outside) throws Exception {
      Files.writeString(outside.resolve("secret"), "secret");
      Files.createSymbolicLink(folder.resolve("link"), outside);
      Files.createSymbolicLink(folder.resolve("file"), outside.resolve("secret"));
      var files = empty();

      assertThat(FileTreeSuite.paths(files, "")).isEmpty();
      for (var path : new String[] {"link/secret", "file"}) {
        assertThatThrownBy(() -> files.find(path)).isInstanceOf(ToolError.PathEscape.class);
        assertThatThrownBy(() -> files.delete(path, Expected.anything()))
            .isInstanceOf(ToolError.PathEscape.class);
      }
      assertThatThrownBy(() -> files.list("link")).isInstanceOf(ToolError.PathEscape.class);
      assertThat(outside.resolve("secret")).hasContent("secret");
    }

    @Test
    void a_folder_with_very_many_files_is_cut_and_says_so() throws Exception {
      for (int i = 0; i < 1_100; i++) Files.writeString(folder.resolve("f" + i), "");

      assertThat(empty().list("").isCut()).isTrue();
    }
  }

  @Nested
  final class Mounted extends FileTreeSuite {
    @Override
    FileTree empty() {
      return FileTree.inMemory().mounting("skills", FileTree.inMemory());
    }

    @Test
    void a_mounted_tree_stands_in_its_folder_in_place_of_what_is_there() {
      var outer = FileTree.inMemory();
      outer.write("skills/old", "hidden", Expected.absent());
      outer.write("a", "x", Expected.absent());
      var skills = FileTree.inMemory();
      skills.write("pdf/SKILL.md", "# PDF", Expected.absent());
      var files = outer.mounting("skills", skills.readOnly());

      assertThat(FileTreeSuite.paths(files, "")).containsExactly("a", "skills/pdf/SKILL.md");
      assertThat(FileTreeSuite.paths(files, "skills")).containsExactly("skills/pdf/SKILL.md");
      assertThat(FileTreeSuite.paths(files, "skills/pdf")).containsExactly("skills/pdf/SKILL.md");
      assertThat(files.read("skills/pdf/SKILL.md").text()).isEqualTo("# PDF");
      assertThat(files.find("skills/old")).isEmpty();
      for (var path : new String[] {"skills/new", "./skills//new", "skills/pdf/SKILL.md"}) {
        assertThatThrownBy(() -> files.write(path, "x", Expected.anything()))
            .isInstanceOf(ToolError.PathEscape.class)
            .hasMessageContaining("only be read");
      }
    }
  }

  @Nested
  final class Collected extends FileTreeSuite {
    @Override
    FileTree empty() {
      return CollectedChanges.of(FileTree.inMemory());
    }
  }

  @Nested
  final class CollectedInAStore extends FileTreeSuite {
    @TempDir Path folder;

    @Override
    FileTree empty() {
      var notes = FileTree.in(InMemoryStore.open(), Namespace.of("changes", "t-1"));
      return CollectedChanges.keptIn(notes, FileTree.of(Workspace.at(folder)));
    }
  }
}
