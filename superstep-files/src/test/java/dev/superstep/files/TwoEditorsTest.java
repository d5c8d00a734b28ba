package dev.superstep.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.ToolCall;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import dev.superstep.tool.ToolBatch;
import dev.superstep.workspace.Workspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/// Two agents that edit the same files at once.
@Timeout(600)
final class TwoEditorsTest {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int EDITS = Integer.getInteger("superstep.fileEdits", 600);
  private static final int FILES = 5;
  private static final long SEED = 20_261_129;

  @TempDir static Path folder;

  static Stream<Named<FileTree>> trees() {
    var workspace = Workspace.at(folder);
    var store = FileTree.in(InMemoryStore.open(), Namespace.of("files"));
    return Stream.of(
        Named.of("a workspace", FileTree.of(workspace)),
        Named.of("memory", FileTree.inMemory()),
        Named.of("a store", store),
        Named.of("collected changes", CollectedChanges.of(FileTree.inMemory())));
  }

  /// The marks that an editor was told to have written, and how often it was told of a conflict.
  private record Written(List<String> marks, int conflicts) {}

  @ParameterizedTest
  @MethodSource("trees")
  void nothing_is_lost_without_its_writer_being_told(FileTree files) throws Exception {
    for (int i = 0; i < FILES; i++) files.write("f" + i, "begin\n", Expected.anything());
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = threads.submit(editor("a", files));
      var second = threads.submit(editor("b", files));

      var marks = new ArrayList<>(first.get().marks());
      marks.addAll(second.get().marks());

      var all = new StringBuilder();
      for (int i = 0; i < FILES; i++) all.append(files.read("f" + i).text());
      assertThat(all.toString().lines().filter(line -> !line.equals("begin")))
          .containsExactlyInAnyOrderElementsOf(marks);
      System.out.println(
          "long: %d edits, %d told of conflicts"
              .formatted(marks.size(), first.get().conflicts() + second.get().conflicts()));
    }
  }

  private static Callable<Written> editor(String name, FileTree files) {
    var tools = ToolBatch.of(FileTools.of(files));
    var random = new Random(SEED + name.hashCode());
    return () -> {
      var marks = new ArrayList<String>();
      int conflicts = 0;
      for (int i = 0; i < EDITS / 2; i++) {
        var path = "f" + random.nextInt(FILES);
        var seen = files.read(path);
        var mark = name + i;
        var text = seen.text();
        var call =
            random.nextBoolean()
                ? new ToolCall(
                    "c" + i,
                    "edit_file",
                    JSON.writeValueAsString(
                        Map.of(
                            "path",
                            path,
                            "digest",
                            seen.digest(),
                            "old",
                            "begin\n",
                            "replacement",
                            "begin\n" + mark + "\n")))
                : new ToolCall(
                    "c" + i,
                    "write_file",
                    JSON.writeValueAsString(
                        Map.of("path", path, "digest", seen.digest(), "text", text + mark + "\n")));
        var answer = tools.run(List.of(call)).getFirst();
        if (!answer.error()) marks.add(mark);
        else if (answer.text().contains("changed since")) conflicts++;
        else throw new AssertionError(answer.text());
      }
      return new Written(marks, conflicts);
    };
  }
}
