package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.store.Embedder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The conformance tests of an [Embedder]. A test class implements this interface, as with
/// [CheckpointerSuite].
public interface EmbedderSuite {
  /// Texts of the tests: an empty one, one without letters, and foreign ones among them.
  List<String> TEXTS = List.of("green tea", "", "123 !?", "größe 漢字 😀", "green tea", "a\nb");

  /// The embedder. Called once for each test.
  Embedder fresh();

  @Test
  default void each_text_gets_a_vector_of_finite_numbers_with_a_direction() {
    var embedder = fresh();
    var vectors = embedder.embedAll(TEXTS);
    assertThat(vectors).hasSameSizeAs(TEXTS);
    for (var vector : vectors) proper(embedder, vector);
  }

  @Test
  default void a_question_gets_a_vector_of_the_same_dimension() {
    var embedder = fresh();
    for (var text : TEXTS) proper(embedder, embedder.embedQuery(text));
  }

  private static void proper(Embedder embedder, float[] vector) {
    assertThat(vector).hasSize(embedder.dimension());
    double length = 0;
    for (float number : vector) {
      assertThat(Float.isFinite(number)).as("finite: %s", number).isTrue();
      length += Math.abs(number);
    }
    assertThat(length).isPositive();
  }

  @Test
  default void the_same_text_gets_the_same_vector_alone_and_among_others() {
    var embedder = fresh();
    var together = embedder.embedAll(TEXTS);
    for (int i = 0; i < TEXTS.size(); i++) {
      assertThat(embedder.embed(TEXTS.get(i))).as(TEXTS.get(i)).isEqualTo(together.get(i));
    }
  }

  @Test
  default void vectors_come_in_the_order_of_their_texts() {
    var embedder = fresh();
    var backwards = embedder.embedAll(TEXTS.reversed());
    assertThat(backwards.reversed()).usingRecursiveComparison().isEqualTo(embedder.embedAll(TEXTS));
    assertThat(embedder.embed("green tea")).isNotEqualTo(embedder.embed("a long road"));
  }

  @Test
  default void a_full_batch_is_accepted() {
    var embedder = fresh();
    assertThat(embedder.batchSize()).isPositive();
    var batch = IntStream.range(0, embedder.batchSize()).mapToObj(i -> "text " + i).toList();
    assertThat(embedder.embedAll(batch)).hasSameSizeAs(batch);
  }

  @Test
  default void its_id_and_dimension_do_not_change() {
    var embedder = fresh();
    assertThat(embedder.id()).isNotBlank();
    var id = embedder.id();
    int dimension = embedder.dimension();
    embedder.embedAll(TEXTS);
    assertThat(embedder.id()).isEqualTo(id).isEqualTo(fresh().id());
    assertThat(embedder.dimension()).isPositive().isEqualTo(dimension);
  }

  @Test
  default void several_threads_get_the_vectors_that_one_gets() throws Exception {
    var embedder = fresh();
    var alone = new ArrayList<float[]>();
    for (var text : TEXTS) alone.add(embedder.embed(text));
    for (var vectors : ConcurrentCalls.run(8, _ -> embedder.embedAll(TEXTS))) {
      assertThat(vectors).usingRecursiveComparison().isEqualTo(alone);
    }
  }
}
