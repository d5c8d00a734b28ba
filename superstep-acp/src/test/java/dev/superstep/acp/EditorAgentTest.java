package dev.superstep.acp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.model.ScriptedModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The program of the guide.
@Timeout(60)
final class EditorAgentTest {
  @TempDir Path folder;

  @Test
  void a_person_sees_the_difference_before_it_is_made() throws Exception {
    var coder = EditorAgent.coder(ScriptedModel.by(Coder::reply));
    var buffers = new ConcurrentHashMap<String, String>();
    try (var piped = Piped.to(AcpAgent.of(coder, new InMemoryCheckpointer()))) {
      var editor = piped.editor().greet(true);
      editor.on("fs/read_text_file", _ -> Optional.empty());
      editor.on(
          "fs/write_text_file",
          asked -> {
            buffers.put(asked.path("path").asString(), asked.path("content").asString());
            return Optional.of("{}");
          });
      var call = AcpAgentTest.call("write_file", "'path':'a.txt','text':'new'");
      var prompt = editor.begin(editor.open(folder), call);
      var asked = editor.request();
      assertThat(asked.path("params").path("toolCall").path("content").path(0).toString())
          .contains("\"type\":\"diff\"", "\"newText\":\"new\"");
      assertThat(buffers).isEmpty();
      editor.choose(asked, "approve");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(buffers).containsEntry(folder.resolve("a.txt").toString(), "new");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {".git/hooks/post-checkout", ".GIT/config", "sub/../.git/config", "inner/x"})
  void nothing_is_written_into_a_git_by_way_of_the_editor(String path) throws Exception {
    Files.createDirectories(folder.resolve(".git/hooks"));
    Files.createSymbolicLink(folder.resolve("inner"), Path.of(".git"));
    var coder = EditorAgent.coder(ScriptedModel.by(Coder::reply));
    var written = new ConcurrentHashMap<String, String>();
    try (var piped = Piped.to(AcpAgent.of(coder, new InMemoryCheckpointer()))) {
      var editor = piped.editor().greet(true);
      editor.on("fs/read_text_file", _ -> Optional.empty());
      editor.on(
          "fs/write_text_file",
          asked -> {
            written.put(asked.path("path").asString(), asked.path("content").asString());
            return Optional.of("{}");
          });
      var call = AcpAgentTest.call("write_file", "'path':'" + path + "','text':'new'");
      var prompt = editor.begin(editor.open(folder), call);
      editor.choose(editor.request(), "approve");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(editor.said()).contains("leads into a `.git`");
      assertThat(written).isEmpty();
    }
  }
}
