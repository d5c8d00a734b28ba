package dev.superstep.terminal.undo;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file system without the attributes of Unix: a ZIP file has none, like the disks of Windows.
class OtherFileSystemTest {
  @Test
  void changes_on_a_file_system_without_modes_are_not_tracked_and_it_says_so(@TempDir Path folder)
      throws IOException {
    var zip = folder.resolve("disk.zip");
    try (var disk = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      var workspace = Files.createDirectory(disk.getPath("/project"));
      var place = UndoPlace.of(workspace, folder.resolve("undo"));
      assertThatThrownBy(
              () -> ChangeTracker.open(place, UndoLimits.standard(), InstantSource.system()))
          .isInstanceOf(UndoFailed.class)
          .hasMessage(
              "Changes of /project cannot be undone: its file system has no modes and inodes, as"
                  + " on Windows. Use version control to take changes back.");
    }
  }
}
