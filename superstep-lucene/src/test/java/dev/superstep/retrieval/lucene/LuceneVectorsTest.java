package dev.superstep.retrieval.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.retrieval.Query;
import dev.superstep.retrieval.RetrievalListener;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.ChunkFilter;
import dev.superstep.retrieval.vector.EmbeddedChunk;
import dev.superstep.retrieval.vector.Embedding;
import dev.superstep.retrieval.vector.IndexFailed;
import dev.superstep.retrieval.vector.VectorSpace;
import dev.superstep.store.Embedder;
import dev.superstep.testkit.VectorIndexSuite;
import dev.superstep.testkit.WordEmbedder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("T131")
final class LuceneVectorsTest implements VectorIndexSuite {
  @TempDir Path folder;

  @Override
  public VectorIndex fresh(Embedder embedder, RetrievalListener listener) {
    return VectorIndex.over(LuceneVectors.open(folder), embedder, listener);
  }

  @Override
  public Optional<VectorIndex> reopened(Embedder embedder) {
    return Optional.of(fresh(embedder, RetrievalListener.NONE));
  }

  private VectorIndex open() {
    return fresh(WordEmbedder.words(), RetrievalListener.NONE);
  }

  @Test
  void a_folder_that_is_open_already_is_refused() {
    try (var index = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(IndexFailed.class)
          .hasMessageContaining("open already")
          .hasMessageContaining("" + folder);
      index.add(List.of(Chunk.of("tea")));
    }
    try (var again = open()) {
      assertThat(again.size()).isEqualTo(1);
    }
  }

  @Test
  void a_folder_with_other_files_is_refused_and_left_as_it_was(@TempDir Path folder)
      throws Exception {
    Files.writeString(folder.resolve("notes.txt"), "mine");
    assertThatThrownBy(() -> LuceneVectors.open(folder))
        .isInstanceOf(IndexFailed.class)
        .hasMessageContaining("notes.txt");
    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString())).containsExactly("notes.txt");
    }
  }

  @Test
  void an_index_of_another_program_is_refused_and_left_as_it_was() throws Exception {
    try (var files = FSDirectory.open(folder);
        var writer = new IndexWriter(files, new IndexWriterConfig())) {
      writer.addDocument(new Document());
    }
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(this::open)
          .isInstanceOf(IndexFailed.class)
          .hasMessageContaining("did not write");
    }
  }

  @Test
  void damaged_files_are_an_error_that_names_the_folder() throws Exception {
    try (var index = open()) {
      index.add(List.of(Chunk.of("tea")));
    }
    try (var files = Files.list(folder)) {
      for (var file : files.filter(f -> f.getFileName().toString().startsWith("_")).toList()) {
        Files.write(file, new byte[] {1, 2, 3});
      }
    }
    assertThatThrownBy(this::open)
        .isInstanceOf(IndexFailed.class)
        .hasMessageContaining("" + folder);
  }

  /// Java closes files under a thread that is interrupted.
  @Test
  void an_interrupted_thread_can_write_and_search_and_stays_interrupted() {
    try (var index = open()) {
      Thread.currentThread().interrupt();
      index.add(List.of(Chunk.of("a", "green tea")));
      assertThat(index.search(Query.of("tea"))).hasSize(1);
      index.delete(List.of("a"));
      assertThat(Thread.interrupted()).isTrue();
      index.add(List.of(Chunk.of("b", "green tea")));
    }
    try (var again = open()) {
      assertThat(again.ids(ChunkFilter.all())).containsExactly("b");
    }
  }

  @Test
  void added_chunks_are_on_disk_without_a_close() throws Exception {
    var copy = folder.resolveSibling(folder.getFileName() + "-copy");
    try (var index = open()) {
      index.add(List.of(Chunk.of("a", "green tea"), Chunk.of("b", "zoo")));
      index.delete(List.of("b"));
      // As a process that was killed would leave it.
      Files.createDirectories(copy);
      try (var files = Files.list(folder)) {
        for (var file : files.toList()) Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    try (var index = VectorIndex.over(LuceneVectors.open(copy), WordEmbedder.words())) {
      assertThat(index.ids(ChunkFilter.all())).containsExactly("a");
      assertThat(index.search(Query.of("tea").minScore(0.1))).hasSize(1);
    }
  }

  @Test
  @Tag("T51")
  void wide_vectors_are_stored_and_too_wide_ones_are_refused() {
    int wide = 3_072;
    var space = new VectorSpace("wide", wide);
    try (var vectors = LuceneVectors.open(folder)) {
      vectors.put(space, List.of(new EmbeddedChunk(Chunk.of("a", "one"), random(1, wide))));
      var tooWide = new VectorSpace("wide", 10_000);
      var entry = new EmbeddedChunk(Chunk.of("b", "two"), random(2, 10_000));
      assertThatThrownBy(() -> vectors.put(tooWide, List.of(entry)))
          .isInstanceOf(IndexFailed.class);
    }
    try (var vectors = LuceneVectors.open(folder)) {
      assertThat(vectors.space()).contains(space);
      assertThat(vectors.nearest(random(1, wide), 3, ChunkFilter.all()))
          .extracting(EmbeddedChunk::embedding)
          .containsExactly(random(1, wide));
    }
  }

  @Test
  @Tag("T51")
  void nearly_all_nearest_of_many_vectors_are_found() {
    int many = 3_000;
    var entries = new ArrayList<EmbeddedChunk>();
    for (int i = 0; i < many; i++) {
      entries.add(new EmbeddedChunk(Chunk.of("n" + i, "number " + i), random(i, 32)));
    }
    try (var vectors = LuceneVectors.open(folder)) {
      var space = new VectorSpace("random", 32);
      for (int from = 0; from < many; from += 500) {
        vectors.put(space, entries.subList(from, from + 500));
      }
      assertThat(vectors.size()).isEqualTo(many);
      int hits = 0;
      for (int i = 0; i < 20; i++) {
        var sought = random(-1 - i, 32);
        var exact =
            entries.stream()
                .sorted((a, b) ->
                    Double.compare(b.embedding().nearness(sought), a.embedding().nearness(sought)))
                .limit(10)
                .toList();
        var found = new HashSet<>(vectors.nearest(sought, 10, ChunkFilter.all()));
        hits += (int) exact.stream().filter(found::contains).count();
      }
      assertThat(hits).isGreaterThan(170);
    }
  }

  private static Embedding random(long seed, int dimension) {
    var random = new SplittableRandom(seed);
    var numbers = new float[dimension];
    for (int i = 0; i < dimension; i++) numbers[i] = (float) random.nextDouble() - 0.5f;
    return Embedding.of(numbers);
  }
}
