package dev.superstep.documents.ingestion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.documents.ingestion.IngestionProgram.CountingEmbedder;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.ChunkFilter;
import dev.superstep.retrieval.lucene.LuceneVectors;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An ingestion whose process is killed goes on in another process.
class IngestionKillTest {
  private static final int FILES = 60;

  @Test
  void a_killed_ingestion_goes_on_where_it_was(@TempDir Path folder) throws Exception {
    var documents = Files.createDirectories(folder.resolve("documents"));
    for (int i = 0; i < FILES; i++) {
      var text = "# Page %02d\n\nWord%02d.\n\n## More\n\nOther%02d.\n".formatted(i, i, i);
      Files.writeString(documents.resolve("page%02d.md".formatted(i)), text);
    }
    var killed = Files.createDirectories(folder.resolve("killed"));
    int finished = 0;
    for (int round = 0; round < 2; round++) finished = Math.max(finished, run(documents, killed));
    assertThat(finished).isGreaterThan(0);

    var embedder = new CountingEmbedder();
    var report = IngestionProgram.ingest(documents, killed, embedder, IngestionListener.NONE);
    assertThat(report.skipped().size()).isGreaterThanOrEqualTo(finished).isLessThan(FILES);
    assertThat(embedder.texts.get()).isEqualTo(2 * (FILES - report.skipped().size()));
    assertThat(report.failed()).isEmpty();

    var whole = Files.createDirectories(folder.resolve("whole"));
    IngestionProgram.ingest(documents, whole, new CountingEmbedder(), IngestionListener.NONE);
    assertThat(chunks(killed)).isEqualTo(chunks(whole)).hasSize(2 * FILES);
    var again = IngestionProgram.ingest(documents, killed, embedder, IngestionListener.NONE);
    assertThat(again.skipped()).hasSize(FILES);
  }

  /// Kills the program after the first group of documents that it newly wrote, and returns how many
  /// documents it said were finished.
  private static int run(Path documents, Path work) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(IngestionProgram.class.getName());
    command.add(documents.toString());
    command.add(work.toString());
    var process =
        new ProcessBuilder(command).redirectError(work.resolve("errors.txt").toFile()).start();
    int finished = 0;
    try (var out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (var line = out.readLine(); line != null; line = out.readLine()) {
        finished++;
        if (line.startsWith("ADDED") || line.startsWith("REPAIRED")) break;
      }
      process.destroyForcibly().waitFor();
    }
    assertThat(finished).as(Files.readString(work.resolve("errors.txt"))).isPositive();
    return finished;
  }

  private static Map<String, Chunk> chunks(Path work) {
    try (var index =
        VectorIndex.over(LuceneVectors.open(work.resolve("index")), new CountingEmbedder())) {
      return index.get(index.ids(ChunkFilter.all()));
    }
  }
}
