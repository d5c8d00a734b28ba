package dev.superstep.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.tool.ToolError;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Somebody changes the tree between the check of a path and its use.
@Tag("P34")
@Timeout(60)
class WorkspaceSwapsTest {
  private static final long AWHILE = 30;

  @TempDir Path temp;
  private Path root;
  private Path outside;

  /// How directories are reached.
  enum Way {
    BY_DESCRIPTOR,
    BY_NAME;

    Tree tree() {
      return switch (this) {
        case BY_DESCRIPTOR -> new Tree(Folder::of);
        case BY_NAME -> new Tree(root -> new PathFolder(root.real()));
      };
    }
  }

  @BeforeEach
  void make() throws IOException {
    root = Files.createDirectories(temp.toRealPath().resolve("root"));
    outside = Files.createDirectories(temp.toRealPath().resolve("outside"));
    Files.writeString(outside.resolve("file.txt"), "secret");
    Files.createDirectories(root.resolve("folder"));
    Files.writeString(root.resolve("folder/file.txt"), "inside");
  }

  @ParameterizedTest
  @EnumSource
  void a_directory_that_became_a_link_after_the_check_is_not_followed(Way way) throws IOException {
    var workspace = Workspace.at(root).over(way.tree());
    var file = workspace.places().find("folder/file.txt");
    var fresh = workspace.places().find("folder/new/file.txt");
    var folder = workspace.places().find("folder");
    swap();
    assertThatThrownBy(() -> workspace.tree().read(file, 100))
        .isInstanceOf(ToolError.PathEscape.class)
        .hasMessageContaining("a link that was not there");
    for (var place : List.of(file, fresh)) {
      assertThatThrownBy(() -> workspace.tree().write(place, new byte[1]))
          .isInstanceOf(ToolError.PathEscape.class);
    }
    assertThatThrownBy(() -> workspace.tree().list(folder, 1, 10))
        .isInstanceOf(ToolError.PathEscape.class);
    assertThat(outside.resolve("file.txt")).hasContent("secret");
    assertThat(outside.resolve("new")).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource
  void a_file_that_became_a_link_after_the_check_is_not_followed(Way way) throws IOException {
    var workspace = Workspace.at(root).over(way.tree());
    var file = workspace.places().find("folder/file.txt");
    Files.delete(root.resolve("folder/file.txt"));
    Files.createSymbolicLink(root.resolve("folder/file.txt"), outside.resolve("file.txt"));
    assertThatThrownBy(() -> workspace.tree().read(file, 100))
        .isInstanceOf(ToolError.PathEscape.class);
    assertThatThrownBy(() -> workspace.tree().write(file, new byte[1]))
        .isInstanceOf(ToolError.PathEscape.class);
    assertThat(outside.resolve("file.txt")).hasContent("secret");
  }

  @Test
  void swapping_an_open_directory_does_not_change_which_one_is_used() throws Exception {
    var entered = new CyclicBarrier(2);
    var swapped = new CyclicBarrier(2);
    var swapper = new Swapper();
    var thread =
        Thread.ofVirtual()
            .start(() ->
                swapper.run(() -> {
                  entered.await(AWHILE, TimeUnit.SECONDS);
                  swap();
                  swapped.await(AWHILE, TimeUnit.SECONDS);
                }));
    var workspace =
        Workspace.at(root).over(new Tree(at -> new Watched(Folder.of(at), entered, swapped)));
    workspace.write("folder/file.txt", "written");
    thread.join();
    assertThat(swapper.failure.get()).isNull();
    assertThat(outside.resolve("file.txt")).hasContent("secret");
    assertThat(root.resolve("was/file.txt")).hasContent("written");
  }

  @Test
  void readers_that_race_with_a_swapper_never_see_what_is_outside() throws Exception {
    var workspace = Workspace.at(root);
    var swaps = new AtomicInteger();
    var swapper = new Swapper();
    var thread =
        Thread.ofPlatform()
            .start(() ->
                swapper.run(() -> {
                  while (!Thread.currentThread().isInterrupted()) {
                    swap();
                    Files.delete(root.resolve("folder"));
                    Files.move(root.resolve("was"), root.resolve("folder"));
                    swaps.incrementAndGet();
                  }
                }));
    int inside = 0;
    int refused = 0;
    for (int i = 0; i < 3_000 || inside == 0 || refused == 0 || swaps.get() < 100; i++) {
      try {
        assertThat(workspace.read("folder/file.txt")).isEqualTo("inside");
        inside++;
      } catch (ToolError.PathEscape | ToolError.Io _) {
        refused++;
      }
    }
    thread.interrupt();
    thread.join();
    assertThat(swapper.failure.get()).isNull();
  }

  @Test
  void a_directory_that_replaces_the_root_is_not_used() throws IOException {
    var workspace = Workspace.at(root);
    Files.move(root, temp.resolve("elsewhere"));
    Files.createDirectories(root.resolve("folder"));
    Files.writeString(root.resolve("folder/file.txt"), "other");
    assertThatThrownBy(() -> workspace.read("folder/file.txt"))
        .isInstanceOf(ToolError.Io.class)
        .hasMessageContaining("another directory");
  }

  private void swap() throws IOException {
    Files.move(root.resolve("folder"), root.resolve("was"));
    Files.createSymbolicLink(root.resolve("folder"), outside);
  }

  /// Keeps what goes wrong in another thread.
  private static final class Swapper {
    final AtomicReference<Throwable> failure = new AtomicReference<>();

    interface Work {
      void run() throws Exception;
    }

    void run(Work work) {
      try {
        work.run();
      } catch (Throwable e) {
        failure.set(e);
      }
    }
  }

  /// Lets somebody else work when a directory below it has been entered.
  private record Watched(Folder folder, CyclicBarrier entered, CyclicBarrier swapped)
      implements Folder {
    @Override
    public Folder enter(Path name) throws IOException {
      var inner = folder.enter(name);
      try {
        entered.await(AWHILE, TimeUnit.SECONDS);
        swapped.await(AWHILE, TimeUnit.SECONDS);
      } catch (Exception e) {
        throw new IOException(e);
      }
      return inner;
    }

    @Override
    public SeekableByteChannel open(Path name) throws IOException {
      return folder.open(name);
    }

    @Override
    public SeekableByteChannel create(Path name) throws IOException {
      return folder.create(name);
    }

    @Override
    public void replace(Path from, Path name) throws IOException {
      folder.replace(from, name);
    }

    @Override
    public void allowAs(Path like, Path name) throws IOException {
      folder.allowAs(like, name);
    }

    @Override
    public void make(Path name) throws IOException {
      folder.make(name);
    }

    @Override
    public void remove(Path name, boolean isDirectory) throws IOException {
      folder.remove(name, isDirectory);
    }

    @Override
    public Optional<BasicFileAttributes> look(Path name) throws IOException {
      return folder.look(name);
    }

    @Override
    public List<Path> names(int most) throws IOException {
      return folder.names(most);
    }

    @Override
    public void close() throws IOException {
      folder.close();
    }
  }
}
