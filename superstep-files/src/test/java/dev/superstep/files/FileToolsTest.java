package dev.superstep.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolBatch;
import dev.superstep.workspace.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/// What models see of files.
@Timeout(60)
final class FileToolsTest {
  private static final JsonMapper JSON = JsonMapper.shared();

  @TempDir Path temp;
  private Path root;
  private FileTree files;

  @BeforeEach
  void make() throws Exception {
    root = Files.createDirectory(temp.resolve("root"));
    Files.createDirectory(temp.resolve("outside"));
    Files.writeString(temp.resolve("outside/secret.txt"), "secret");
    files = FileTree.of(Workspace.at(root));
  }

  private ToolMessage call(String tool, Map<String, ?> arguments) throws Exception {
    var call = new ToolCall("c1", tool, JSON.writeValueAsString(arguments));
    return ToolBatch.of(FileTools.of(files)).run(List.of(call)).getFirst();
  }

  private String write(String path, String text) {
    return files.write(path, text, Expected.anything()).digest();
  }

  @Test
  void a_file_is_shown_in_parts_with_the_digest_of_the_whole() throws Exception {
    var digest = write("a.txt", "one\ntwo\nthree\n");

    assertThat(call("read_file", Map.of("path", "a.txt")).text())
        .isEqualTo("[digest " + digest + ", 3 lines]\none\ntwo\nthree\n");
    assertThat(call("read_file", Map.of("path", "a.txt", "firstLine", 2, "lines", 1)).text())
        .isEqualTo("[digest " + digest + ", lines 2 to 2 of 3]\ntwo\n");
    assertThat(call("read_file", Map.of("path", "a.txt", "firstLine", 4)).text())
        .contains("It has 3 lines.");
    assertThat(call("read_file", Map.of("path", "none.txt")).error()).isTrue();
    var empty = write("empty", "");
    assertThat(call("read_file", Map.of("path", "empty")).text())
        .isEqualTo("[digest " + empty + ", empty]\n");
  }

  @Test
  void a_long_file_is_shown_up_to_a_limit_that_is_told() throws Exception {
    write("long", "0123456789\n".repeat(5_000));

    var first = call("read_file", Map.of("path", "long")).text();

    assertThat(first).contains("lines 1 to 2000 of 5000").hasSizeLessThan(32_000);
    write("wide", "x".repeat(90_000) + "\nend\n");
    var wide = call("read_file", Map.of("path", "wide")).text();
    assertThat(wide).contains("lines 1 to 1 of 2").endsWith("[cut off: the line is longer]");
  }

  @Test
  void a_text_is_replaced_if_it_is_there_once() throws Exception {
    var digest = write("a.txt", "one\ntwo\ntwo\n");
    var one = Map.of("path", "a.txt", "digest", digest, "old", "one", "replacement", "1");
    var two = Map.of("path", "a.txt", "digest", digest, "old", "two", "replacement", "2");
    var none = Map.of("path", "a.txt", "digest", digest, "old", "three", "replacement", "3");

    assertThat(call("edit_file", two).text()).contains("there 2 times");
    assertThat(call("edit_file", none).text()).contains("not there");
    assertThat(files.read("a.txt").digest()).isEqualTo(digest);
    assertThat(call("edit_file", one).text())
        .isEqualTo(
            "Edited a.txt in 1 place. Its digest is %s."
                .formatted(FileText.digestOf("1\ntwo\ntwo\n")));
    // The digest is that of a text that is no more.
    var late = call("edit_file", two);
    assertThat(late.error()).isTrue();
    assertThat(late.text()).contains("changed since it was read");
    var now = files.read("a.txt").digest();
    var all =
        Map.of("path", "a.txt", "digest", now, "old", "two", "replacement", "$2\\", "all", true);
    assertThat(call("edit_file", all).text()).contains("in 2 places");
    assertThat(files.read("a.txt").text()).isEqualTo("1\n$2\\\n$2\\\n");
  }

  @Test
  void an_edit_by_other_line_ends_is_explained() throws Exception {
    var digest = write("dos.txt", "one\r\ntwo\r\n");
    var edit =
        Map.of("path", "dos.txt", "digest", digest, "old", "one\ntwo", "replacement", "1\n2");

    assertThat(call("edit_file", edit).text()).contains("other line ends");
  }

  @Test
  void a_file_is_replaced_only_by_who_has_read_it() throws Exception {
    assertThat(call("write_file", Map.of("path", "a/b.txt", "text", "one")).text())
        .startsWith("Made a/b.txt.");
    assertThat(call("write_file", Map.of("path", "a/b.txt", "text", "two")).text())
        .contains("it exists already");
    var digest = FileText.digestOf("one");
    var replace = Map.of("path", "a/b.txt", "text", "two", "digest", digest);
    assertThat(call("write_file", replace).text()).startsWith("Replaced a/b.txt.");
    assertThat(call("write_file", replace).error()).isTrue();
    assertThat(root.resolve("a/b.txt")).hasContent("two");
  }

  @Test
  void files_are_found_by_patterns_of_their_paths() throws Exception {
    for (var path :
        List.of("a.md", "b.txt", "src/c.md", "src/deep/d.md", "src/deep/e.java", "x{y}.md")) {
      write(path, "x");
    }

    assertThat(glob("*.md")).containsExactly("a.md", "src/c.md", "src/deep/d.md", "x{y}.md");
    assertThat(glob("src/*.md")).containsExactly("src/c.md");
    assertThat(glob("src/**/*.md")).containsExactly("src/c.md", "src/deep/d.md");
    assertThat(glob("src/**")).containsExactly("src/c.md", "src/deep/d.md", "src/deep/e.java");
    assertThat(glob("**/*.{java,txt}")).containsExactly("b.txt", "src/deep/e.java");
    assertThat(glob("[a-c].*")).containsExactly("a.md", "b.txt", "src/c.md");
    assertThat(glob("[!a-c].md")).containsExactly("src/deep/d.md");
    assertThat(glob("?.txt")).containsExactly("b.txt");
    assertThat(glob("*.none")).containsExactly("[no file matches]");
    assertThat(call("glob", Map.of("pattern", "{a", "folder", "")).text()).contains("no pattern");
    assertThat(call("glob", Map.of("pattern", "*.md", "folder", "src/deep")).text())
        .isEqualTo("src/deep/d.md (1 bytes)");
  }

  private List<String> glob(String pattern) throws Exception {
    return call("glob", Map.of("pattern", pattern))
        .text()
        .lines()
        .map(line -> line.replaceFirst(" \\(.*", ""))
        .toList();
  }

  @Test
  void lines_are_found_by_regular_expressions() throws Exception {
    write("a.java", "class A {\n  // TODO later\n}\n");
    write("b/c.md", "todo: nothing\n");
    Files.write(root.resolve("image"), new byte[] {(byte) 0xff, (byte) 0xfe});

    assertThat(call("grep", Map.of("pattern", "TODO|todo")).text())
        .isEqualTo(
            """
            a.java:2:   // TODO later
            b/c.md:1: todo: nothing
            [1 files were not read: no text, or too long]\
            """);
    assertThat(call("grep", Map.of("pattern", "todo", "glob", "*.java")).text())
        .isEqualTo("[nothing was found]");
    assertThat(call("grep", Map.of("pattern", "todo", "glob", "*.java", "ignoreCase", true)).text())
        .isEqualTo("a.java:2:   // TODO later");
    assertThat(call("grep", Map.of("pattern", "to", "folder", "b")).text())
        .isEqualTo("b/c.md:1: todo: nothing");
    assertThat(call("grep", Map.of("pattern", "(")).text()).contains("no regular expression");
    // It would take for ever with backtracking.
    write("long", "a".repeat(50_000) + "\n");
    assertThat(call("grep", Map.of("pattern", "(a*)*b", "glob", "long")).text())
        .isEqualTo("[nothing was found]");
  }

  @Test
  void many_matches_are_cut_and_that_is_told() throws Exception {
    write("many", "x\n".repeat(1_000));

    assertThat(call("grep", Map.of("pattern", "x")).text().lines()).hasSize(200);
    write("more", "x\n");
    assertThat(call("grep", Map.of("pattern", "x")).text()).contains("[cut off");
  }

  @Test
  void a_file_is_moved_to_a_free_path_and_deleted_as_it_was_read() throws Exception {
    var digest = write("a", "one");
    write("b", "two");
    var taken = Map.of("from", "a", "digest", digest, "to", "b");
    var free = Map.of("from", "a", "digest", digest, "to", "new/c");
    var late = Map.of("from", "a", "digest", FileText.digestOf("x"), "to", "d");

    assertThat(call("move_file", taken).error()).isTrue();
    assertThat(call("move_file", late).error()).isTrue();
    assertThat(call("move_file", free).text()).isEqualTo("Moved a to new/c.");
    assertThat(FileTreeSuite.paths(files, "")).containsExactly("b", "new/c");
    assertThat(call("delete_file", Map.of("path", "b", "digest", digest)).error()).isTrue();
    assertThat(call("delete_file", Map.of("path", "new/c", "digest", digest)).text())
        .isEqualTo("Deleted new/c.");
    assertThat(FileTreeSuite.paths(files, "")).containsExactly("b");
  }

  @Test
  void no_tool_gets_out_of_the_workspace() throws Exception {
    Files.createSymbolicLink(root.resolve("link"), temp.resolve("outside"));
    Files.createSymbolicLink(root.resolve("file"), temp.resolve("outside/secret.txt"));
    var inside = write("inside", "one");
    var secret = FileText.digestOf("secret");
    var all = new java.util.ArrayList<>(FileEscapes.PATHS);
    all.addAll(List.of("link/secret.txt", "file", "link/new.txt", temp + "/outside/secret.txt"));
    for (var path : all) {
      var calls =
          Map.of(
              "read_file", Map.of("path", path),
              "edit_file",
                  Map.of("path", path, "digest", secret, "old", "secret", "replacement", "x"),
              "write_file", Map.of("path", path, "text", "x", "digest", secret),
              "delete_file", Map.of("path", path, "digest", secret),
              "move_file", Map.of("from", "inside", "digest", inside, "to", path));
      for (var one : calls.entrySet()) {
        var answer = call(one.getKey(), one.getValue());
        assertThat(answer.error()).as(one.getKey() + " " + path).isTrue();
        assertThat(answer.text()).doesNotContain("secret\n");
      }
      var taken = Map.of("from", path, "digest", secret, "to", "taken");
      assertThat(call("move_file", taken).error()).as(path).isTrue();
      if (path.isEmpty()) continue;
      for (var tool : List.of("glob", "grep")) {
        var found = call(tool, Map.of("pattern", "*", "folder", path)).text();
        assertThat(found).as(tool + " " + path).doesNotContain("secret.txt (");
      }
      assertThat(call("grep", Map.of("pattern", "secret", "folder", path)).text())
          .as(path)
          .doesNotContain("secret.txt:1");
    }
    assertThat(temp.resolve("outside/secret.txt")).hasContent("secret");
    assertThat(temp.resolve("outside")).isDirectoryNotContaining("glob:**new*");
    assertThat(root.resolve("inside")).hasContent("one");
    assertThat(root.resolve("taken")).doesNotExist();
  }

  @Test
  void the_tools_say_what_they_do() {
    var tools = FileTools.of(CollectedChanges.of(files));
    var all = tools.names().stream().map(name -> tools.find(name).orElseThrow()).toList();

    assertThat(all).hasSize(8).allMatch(tool -> tool.policy().isClassified());
    assertThat(all.stream().filter(tool -> tool.policy().isReadOnly()).map(Tool::name))
        .containsExactly("read_file", "glob", "grep");
    assertThat(FileTools.deleteFile(files).policy().effects())
        .containsExactly(SideEffect.DESTRUCTIVE);
    assertThat(FileTools.reading(files).names()).containsExactly("read_file", "glob", "grep");
  }
}
