package dev.superstep.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.tool.ToolError;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Files and directories become named pipes between the check and the use.
@Tag("P34")
@Timeout(120)
class WorkspacePipesTest {
  private static final int READERS = 16;

  @TempDir Path temp;
  private Path root;

  @BeforeEach
  void make() throws Exception {
    assumeThat(File.separatorChar).as("has named pipes").isEqualTo('/');
    root = Files.createDirectories(temp.toRealPath().resolve("root"));
    Files.createDirectories(root.resolve("folder"));
    Files.writeString(root.resolve("file.txt"), "text");
  }

  private static void pipe(Path path) throws Exception {
    var made = new ProcessBuilder("mkfifo", path.toString()).start();
    assertThat(made.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(made.exitValue()).isZero();
  }

  /// A folder in which names become pipes at the last moment, after they were looked at.
  private Workspace swapping(Path name) {
    var pipe = temp.resolve("pipe");
    return Workspace.at(root)
        .over(new Tree(at -> new Swapped(Folder.of(at), () -> move(pipe, root.resolve(name)))));
  }

  private static void move(Path from, Path to) {
    try {
      if (Files.exists(from)) {
        if (Files.isDirectory(to)) Files.delete(to);
        Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void a_file_that_becomes_a_pipe_after_the_check_is_an_error() throws Exception {
    pipe(temp.resolve("pipe"));
    assertThatThrownBy(() -> swapping(Path.of("file.txt")).read("file.txt"))
        .isInstanceOf(ToolError.Io.class)
        .hasMessageContaining("no regular file");
    // A thread gives its place back a moment after the caller has the result.
    assertThat(ExpendableThreads.awaitAllFree(Duration.ofSeconds(60)))
        .as("no thread is lost")
        .isTrue();
  }

  @Test
  void a_directory_that_becomes_a_pipe_after_the_check_is_an_error() throws Exception {
    pipe(temp.resolve("pipe"));
    assertThatThrownBy(() -> swapping(Path.of("folder")).read("folder/x.txt"))
        .isInstanceOf(ToolError.Io.class);
  }

  @Test
  void readers_of_pipes_leave_the_virtual_threads_of_the_process_alone() throws Exception {
    // More than there are carriers; each has lost its race, and waits in the system.
    var pipes = new ArrayList<Path>();
    for (int i = 0; i < READERS; i++) {
      var path = temp.resolve("pipe" + i);
      pipe(path);
      pipes.add(path);
    }
    var held = new ArrayList<ExpendableThreads.Call<?>>();
    for (var path : pipes) {
      held.add(
          ExpendableThreads.begin(
              () -> Files.newByteChannel(path), late -> {}, Duration.ofSeconds(10)));
    }
    var ran = new CountDownLatch(100);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 100; i++) threads.execute(ran::countDown);
      assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(Workspace.at(root).read("file.txt")).isEqualTo("text");
    }
    for (var path : pipes) Files.newByteChannel(path, Folder.BOTH).close();
    for (var call : held) assertThat(call.await(Duration.ofSeconds(60))).isTrue();
  }

  @Test
  void readers_that_race_with_a_swapper_all_come_back() throws Exception {
    var pipe = temp.resolve("pipe");
    var aside = temp.resolve("aside");
    pipe(pipe);
    var file = root.resolve("file.txt");
    var isOver = new AtomicBoolean();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var swapper =
          Thread.ofPlatform()
              .start(() -> {
                while (!isOver.get()) {
                  swap(file, aside);
                  swap(pipe, file);
                  swap(file, pipe);
                  swap(aside, file);
                }
              });
      var readers = new ArrayList<Future<Integer>>();
      for (int i = 0; i < READERS; i++) readers.add(threads.submit(() -> reads(5)));
      try {
        for (var reader : readers) assertThat(reader.get(100, TimeUnit.SECONDS)).isNotNegative();
      } finally {
        isOver.set(true);
        swapper.join();
      }
    }
    assertThat(Workspace.at(root).read("file.txt")).isEqualTo("text");
  }

  private int reads(int times) {
    int good = 0;
    for (int i = 0; i < times; i++) {
      try {
        assertThat(Workspace.at(root).read("file.txt")).isEqualTo("text");
        good++;
      } catch (ToolError _) {
        // Missing or a pipe just now.
      }
    }
    return good;
  }

  private static void swap(Path from, Path to) {
    try {
      Files.move(from, to);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /// A folder of which something changes right before it is used.
  private record Swapped(Folder inner, Runnable swap) implements Folder {
    @Override
    public Folder enter(Path name) throws IOException {
      // The same look that the folder itself takes, and then the change.
      if (inner instanceof DescriptorFolder held) return held.enter(name, swap);
      throw new IllegalStateException("only where directories can be held");
    }

    @Override
    public java.nio.channels.SeekableByteChannel open(Path name) throws IOException {
      swap.run();
      return inner.open(name);
    }

    @Override
    public java.nio.channels.SeekableByteChannel create(Path name) throws IOException {
      return inner.create(name);
    }

    @Override
    public void replace(Path from, Path name) throws IOException {
      inner.replace(from, name);
    }

    @Override
    public void allowAs(Path like, Path name) throws IOException {
      inner.allowAs(like, name);
    }

    @Override
    public void make(Path name) throws IOException {
      inner.make(name);
    }

    @Override
    public void remove(Path name, boolean isDirectory) throws IOException {
      inner.remove(name, isDirectory);
    }

    @Override
    public java.util.Optional<java.nio.file.attribute.BasicFileAttributes> look(Path name)
        throws IOException {
      return inner.look(name);
    }

    @Override
    public List<Path> names(int most) throws IOException {
      return inner.names(most);
    }

    @Override
    public void close() throws IOException {
      inner.close();
    }
  }
}
