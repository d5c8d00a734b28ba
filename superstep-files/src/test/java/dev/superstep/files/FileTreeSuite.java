package dev.superstep.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.tool.ToolError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// What every tree of files does.
abstract class FileTreeSuite {
  private static final int THREADS = 8;
  private static final int ROUNDS = 20;

  /// A tree without files.
  abstract FileTree empty() throws Exception;

  @Test
  void a_file_is_read_as_it_was_written() throws Exception {
    var files = empty();
    var texts = List.of("", "one\ntwo\n", "no end", "\u00e4\ud83d\ude42\r\n", "\u0000?");
    for (var text : texts) {
      var written = files.write("notes/today.md", text, Expected.anything());

      var read = files.read("notes/today.md");

      assertThat(read).isEqualTo(written);
      assertThat(read.text()).isEqualTo(text);
      assertThat(read.digest()).hasSize(16);
    }
  }

  @Test
  void equal_texts_have_equal_digests_and_others_have_others() throws Exception {
    var files = empty();
    var a = files.write("a", "one", Expected.absent());
    var b = files.write("b", "one", Expected.absent());
    var c = files.write("c", "two", Expected.absent());

    assertThat(a.digest()).isEqualTo(b.digest()).isNotEqualTo(c.digest());
  }

  @Test
  void a_file_that_is_not_there_is_not_found() throws Exception {
    var files = empty();
    files.write("folder/file", "x", Expected.absent());

    assertThat(files.find("file")).isEmpty();
    assertThat(files.find("no/such/folder/file")).isEmpty();
    assertThatThrownBy(() -> files.read("none"))
        .isInstanceOf(ToolError.Io.class)
        .hasMessageContaining("none");
  }

  @Test
  void a_write_that_expects_something_else_changes_nothing() throws Exception {
    var files = empty();
    var first = files.write("a", "one", Expected.absent());
    var second = files.write("a", "two", Expected.digest(first.digest()));

    for (var expected :
        List.of(Expected.absent(), Expected.digest(first.digest()), Expected.digest(""))) {
      assertThatThrownBy(() -> files.write("a", "three", expected))
          .isInstanceOfSatisfying(
              FileConflict.class, conflict -> assertThat(conflict.paths()).containsExactly("a"));
      assertThatThrownBy(() -> files.delete("a", expected)).isInstanceOf(FileConflict.class);
    }
    assertThatThrownBy(() -> files.write("b", "x", Expected.digest(first.digest())))
        .isInstanceOf(FileConflict.class);
    assertThat(files.read("a")).isEqualTo(second);
    assertThat(files.find("b")).isEmpty();
  }

  @Test
  void a_deleted_file_is_gone_and_its_path_is_free() throws Exception {
    var files = empty();
    var file = files.write("a/b", "one", Expected.absent());
    files.delete("a/b", Expected.digest(file.digest()));

    assertThat(files.find("a/b")).isEmpty();
    assertThat(files.list("").files()).isEmpty();
    assertThatThrownBy(() -> files.delete("a/b", Expected.anything()))
        .isInstanceOf(FileConflict.class);
    assertThatThrownBy(() -> files.write("a/b", "x", Expected.digest(file.digest())))
        .isInstanceOf(FileConflict.class);
    assertThat(files.write("a/b", "two", Expected.absent()).text()).isEqualTo("two");
  }

  @Test
  void a_list_has_all_files_below_a_folder_in_order() throws Exception {
    var files = empty();
    for (var path : List.of("b", "a/c/d", "a/b", "ab", "a.txt")) {
      files.write(path, "x\u00e4", Expected.absent());
    }

    assertThat(paths(files, "")).containsExactly("a.txt", "a/b", "a/c/d", "ab", "b");
    assertThat(paths(files, "a")).containsExactly("a/b", "a/c/d");
    assertThat(paths(files, "a/c")).containsExactly("a/c/d");
    assertThat(paths(files, "none")).isEmpty();
    assertThat(files.list("a/c").files()).containsExactly(new FileList.Entry("a/c/d", 3));
    assertThat(files.list("").isCut()).isFalse();
  }

  static List<String> paths(FileTree files, String folder) {
    return files.list(folder).files().stream().map(FileList.Entry::path).toList();
  }

  @Test
  void paths_out_of_the_tree_are_refused() throws Exception {
    var files = empty();
    for (var path : FileEscapes.PATHS) {
      assertThatThrownBy(() -> files.find(path)).as(path).isInstanceOf(ToolError.class);
      assertThatThrownBy(() -> files.write(path, "x", Expected.anything()))
          .as(path)
          .isInstanceOf(ToolError.class);
      assertThatThrownBy(() -> files.delete(path, Expected.anything()))
          .as(path)
          .isInstanceOf(ToolError.class);
    }
    assertThat(files.list("").files()).isEmpty();
  }

  @Test
  void of_many_who_change_a_file_at_once_one_wins_each_time() throws Exception {
    var files = empty();
    var barrier = new CyclicBarrier(THREADS);
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      for (int round = 0; round < ROUNDS; round++) {
        var path = "file" + round;
        var winners = new ArrayList<Future<Boolean>>();
        for (int i = 0; i < THREADS; i++) {
          var text = "by " + i;
          winners.add(
              threads.submit(() -> {
                barrier.await();
                try {
                  files.write(path, text, Expected.absent());
                  return true;
                } catch (FileConflict _) {
                  return false;
                }
              }));
        }
        int won = 0;
        for (var winner : winners) if (winner.get()) won++;
        assertThat(won).isEqualTo(1);
      }
    }
  }
}
