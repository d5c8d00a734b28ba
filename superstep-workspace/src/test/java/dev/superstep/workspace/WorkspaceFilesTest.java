package dev.superstep.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.tool.ToolError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("P36")
@Timeout(60)
class WorkspaceFilesTest {
  @TempDir Path temp;
  private Path root;
  private Workspace workspace;

  @BeforeEach
  void make() throws IOException {
    root = Files.createDirectories(temp.toRealPath().resolve("root"));
    workspace = Workspace.at(root);
  }

  @Test
  void a_written_file_can_be_read_and_leaves_no_temporary_file() {
    assertThat(workspace.write("notes/today.md", "Grüße 🙂\n")).isTrue();
    assertThat(workspace.write("notes/today.md", "Again")).isFalse();
    assertThat(workspace.read("notes/today.md")).isEqualTo("Again");
    assertThat(workspace.list("").entries())
        .extracting(FolderListing.Entry::path)
        .containsExactly("notes", "notes/today.md");
  }

  @Test
  void a_file_that_is_no_text_is_read_as_bytes_within_the_same_bounds() throws Exception {
    Files.write(root.resolve("data"), new byte[] {-1, 0, 7});

    assertThat(workspace.readBytes("data")).containsExactly(-1, 0, 7);
    assertThatThrownBy(() -> workspace.read("data")).hasMessageContaining("not text in UTF-8");
    var small = workspace.limits(WorkspaceLimits.standard().files(2, 2));
    assertThatThrownBy(() -> small.readBytes("data")).hasMessageContaining("more than the 2 bytes");
    assertThatThrownBy(() -> workspace.readBytes("../x")).isInstanceOf(ToolError.PathEscape.class);
  }

  @Test
  void a_reader_during_a_write_sees_a_whole_text() throws Exception {
    var texts = List.of("a".repeat(50_000), "b".repeat(70_000));
    workspace.write("file.txt", texts.getFirst());
    var stop = new AtomicBoolean();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> writer =
          threads.submit(() -> {
            for (int i = 0; !stop.get(); i++) workspace.write("file.txt", texts.get(i % 2));
          });
      for (int i = 0; i < 200; i++) assertThat(texts).contains(workspace.read("file.txt"));
      stop.set(true);
      writer.get();
    }
  }

  @Test
  void many_writers_may_make_the_same_directories() throws Exception {
    int writers = 16;
    var together = new CyclicBarrier(writers);
    for (int round = 0; round < 10; round++) {
      var folder = "round" + round + "/deep/er";
      var work = new ArrayList<Callable<Boolean>>();
      for (int i = 0; i < writers; i++) {
        var file = folder + "/" + i + ".txt";
        work.add(() -> {
          together.await();
          return workspace.write(file, file);
        });
      }
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (var done : threads.invokeAll(work)) assertThat(done.get()).isTrue();
      }
      assertThat(workspace.list(folder).entries()).hasSize(writers);
    }
  }

  @Test
  void a_write_keeps_permissions_and_does_not_change_other_hard_links() throws IOException {
    var script = Files.writeString(root.resolve("run.sh"), "old");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x---"));
    var other = Files.createLink(temp.resolve("other-name"), script);
    workspace.write("run.sh", "new");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(script)))
        .isEqualTo("rwxr-x---");
    assertThat(other).hasContent("old");
    assertThat(script).hasContent("new");
  }

  @Test
  void what_is_no_regular_file_is_neither_read_nor_replaced() throws Exception {
    Files.createDirectory(root.resolve("folder"));
    assertThatThrownBy(() -> workspace.read("folder"))
        .isInstanceOf(ToolError.Io.class)
        .hasMessageContaining("it is a directory");
    assertThatThrownBy(() -> workspace.write("folder", "x")).isInstanceOf(ToolError.Io.class);
    assertThatThrownBy(() -> workspace.write("", "x")).isInstanceOf(ToolError.Io.class);
    var mkfifo = Path.of("/usr/bin/mkfifo");
    assumeThat(mkfifo).exists();
    new ProcessBuilder(mkfifo.toString(), root.resolve("pipe").toString()).start().waitFor();
    assertThatThrownBy(() -> workspace.read("pipe"))
        .isInstanceOf(ToolError.Io.class)
        .hasMessageContaining("no regular file");
    assertThatThrownBy(() -> workspace.write("pipe", "x")).isInstanceOf(ToolError.Io.class);
    assertThatThrownBy(() -> workspace.read("pipe/below")).isInstanceOf(ToolError.Io.class);
    assertThat(workspace.list("").entries())
        .extracting(FolderListing.Entry::kind)
        .containsExactly(FolderListing.Entry.Kind.DIRECTORY, FolderListing.Entry.Kind.OTHER);
  }

  @Test
  void a_file_over_a_limit_is_refused() {
    var small = workspace.limits(WorkspaceLimits.standard().files(4, 8));
    small.write("file.txt", "12345678");
    assertThatThrownBy(() -> small.read("file.txt"))
        .isInstanceOf(ToolError.Other.class)
        .hasMessageContaining("more than the 4 bytes");
    assertThatThrownBy(() -> small.write("file.txt", "äääää"))
        .isInstanceOf(ToolError.Other.class)
        .hasMessageContaining("10 bytes");
    assertThat(workspace.read("file.txt")).isEqualTo("12345678");
  }

  @Test
  void a_file_that_is_not_text_is_refused() throws IOException {
    Files.write(root.resolve("logo.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', (byte) 0xff});
    assertThatThrownBy(() -> workspace.read("logo.png"))
        .isInstanceOf(ToolError.Other.class)
        .hasMessageContaining("not text in UTF-8");
  }

  @Test
  void a_listing_is_sorted_and_does_not_follow_links() throws IOException {
    workspace.write("b/two.txt", "22");
    workspace.write("b/one.txt", "1");
    workspace.write("a.txt", "");
    workspace.write("b/c/deep.txt", "");
    Files.createSymbolicLink(root.resolve("link"), temp);
    assertThat(workspace.list("").entries())
        .extracting(FolderListing.Entry::toString)
        .containsExactly(
            "Entry[path=a.txt, kind=FILE, bytes=0]",
            "Entry[path=b, kind=DIRECTORY, bytes=0]",
            "Entry[path=b/c, kind=DIRECTORY, bytes=0]",
            "Entry[path=b/c/deep.txt, kind=FILE, bytes=0]",
            "Entry[path=b/one.txt, kind=FILE, bytes=1]",
            "Entry[path=b/two.txt, kind=FILE, bytes=2]",
            "Entry[path=link, kind=LINK, bytes=0]");
    assertThat(workspace.list("b", 1).entries())
        .extracting(FolderListing.Entry::path)
        .containsExactly("c", "one.txt", "two.txt");
  }

  @Test
  void a_listing_ends_at_its_limits_and_says_so() {
    for (int i = 0; i < 5; i++) workspace.write("folder/" + i + ".txt", "");
    var three = workspace.limits(WorkspaceLimits.standard().listings(3, 8)).list("");
    assertThat(three.entries()).hasSize(3);
    assertThat(three.isCut()).isTrue();
    var six = workspace.limits(WorkspaceLimits.standard().listings(6, 8)).list("");
    assertThat(six.entries()).hasSize(6);
    assertThat(six.isCut()).isFalse();
    var flat = workspace.limits(WorkspaceLimits.standard().listings(6, 1)).list("", 5);
    assertThat(flat.entries()).hasSize(1);
  }

  @Test
  @Tag("T35")
  void a_temporary_workspace_publishes_its_creation_and_deletion() throws IOException {
    var told = new ArrayList<WorkspaceEvent>();
    var kept = Files.writeString(temp.resolve("kept.txt"), "kept");
    Path directory;
    try (var temporary = Workspace.temporary(told::add)) {
      directory = temporary.workspace().root();
      temporary.workspace().write("a/b.txt", "x");
      Files.createSymbolicLink(directory.resolve("link"), kept);
      Files.createSymbolicLink(directory.resolve("a/folder"), temp);
      assertThat(told).containsExactly(new WorkspaceEvent.Prepared("temporary"));
    }
    assertThat(directory).doesNotExist();
    assertThat(kept).hasContent("kept");
    assertThat(told).element(1).isEqualTo(new WorkspaceEvent.CleanedUp("temporary", true));
  }

  @Test
  @Tag("T35")
  void a_violation_is_published_and_a_failing_listener_changes_nothing() {
    var told = new ArrayList<WorkspaceEvent>();
    var watched =
        workspace
            .policy("docs")
            .listener(_ -> {
              throw new IllegalStateException("test");
            })
            .listener(told::add);
    assertThatThrownBy(() -> watched.read("../x")).isInstanceOf(ToolError.PathEscape.class);
    assertThatThrownBy(() -> watched.check(List.of("rm", "-rf")))
        .isInstanceOf(ToolError.ForbiddenCommand.class);
    assertThatThrownBy(() -> watched.fetch(java.net.URI.create("http://example.org/")))
        .isInstanceOf(ToolError.Http.class);
    assertThatThrownBy(() -> watched.read("none.txt")).isInstanceOf(ToolError.Io.class);
    assertThat(told)
        .containsExactly(
            new WorkspaceEvent.Violated("docs", "tool.path-escape", "", ""),
            new WorkspaceEvent.Violated("docs", "tool.forbidden-command", "", ""),
            new WorkspaceEvent.Violated("docs", "tool.http", "", ""));
  }
}
