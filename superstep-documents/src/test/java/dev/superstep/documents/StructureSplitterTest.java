package dev.superstep.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.model.TokenCounter;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.SourceLocation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Chunks by structure, and their places.
class StructureSplitterTest {
  private static final TokenCounter COUNTER = TokenCounter.approximate();

  private static StructuredDocument markdown(String text) throws InterruptedException {
    return load("a.md", text);
  }

  private static StructuredDocument load(String id, String text) throws InterruptedException {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    return DocumentLoader.standard().load(SourceDocument.of(id, bytes));
  }

  private static List<String> places(List<Chunk> chunks) {
    return chunks.stream().map(chunk -> SourceLocation.of(chunk).text()).toList();
  }

  @Test
  void a_chunk_has_one_heading_and_begins_with_it() throws Exception {
    var chunks =
        StructureSplitter.of(100, 0)
            .split(
                markdown(
                    "# Payment\n"
                        + "## Refunds\n"
                        + "Within a week.\n\n"
                        + "To the card.\n"
                        + "## Vouchers\n"
                        + "Ten euros.\n"));
    assertThat(chunks)
        .extracting(Chunk::text)
        .containsExactly(
            "Payment > Refunds\nWithin a week.\n\nTo the card.", "Payment > Vouchers\nTen euros.");
    assertThat(places(chunks))
        .containsExactly("a.md, lines 3-5, Payment > Refunds", "a.md, line 7, Payment > Vouchers");
    assertThat(SourceLocation.of(chunks.getFirst()).title()).isEqualTo("Payment");
    assertThat(chunks).extracting(Chunk::id).containsExactly("a.md#0", "a.md#1");
  }

  @Test
  void a_heading_without_text_below_it_is_a_chunk() throws Exception {
    var chunks = StructureSplitter.of(100, 0).split(markdown("# One\n# Two\ntext\n## Three\n"));
    assertThat(chunks).extracting(Chunk::text).containsExactly("One", "Two\ntext", "Two > Three");
    assertThat(places(chunks).getLast()).isEqualTo("a.md, line 4, Two > Three");
  }

  @Test
  void pages_are_not_crossed_unless_told() throws Exception {
    var document = load("a.txt", "one\ftwo\fthree");
    var splitter = StructureSplitter.of(100, 0);
    assertThat(splitter.split(document))
        .extracting(Chunk::text)
        .containsExactly("one", "two", "three");
    assertThat(places(splitter.split(document)).getLast()).isEqualTo("a.txt, page 3, line 1");
    var across = splitter.acrossPages().split(document);
    assertThat(across).extracting(Chunk::text).containsExactly("one\n\ntwo\n\nthree");
    assertThat(places(across)).containsExactly("a.txt, pages 1-3");
    assertThat(splitter.acrossPages().id()).isNotEqualTo(splitter.id());
  }

  @Test
  void a_large_table_is_cut_between_rows_and_repeats_its_header() throws Exception {
    var text = new StringBuilder("# Prices\n\n| item | price |\n|---|---|\n");
    for (int i = 0; i < 40; i++)
      text.append("| item ").append(i).append(" | ").append(i).append(" |\n");
    var chunks = StructureSplitter.of(60, 20).split(markdown(text.toString()));
    assertThat(chunks.size()).isBetween(4, 12);
    for (var chunk : chunks) {
      assertThat(chunk.text()).startsWith("Prices\n| item | price |\n| item ");
      assertThat(COUNTER.count(chunk.text())).isLessThanOrEqualTo(60);
    }
    assertThat(SourceLocation.of(chunks.get(1)).lines().orElseThrow().first())
        .isEqualTo(SourceLocation.of(chunks.get(0)).lines().orElseThrow().last() + 1);
    assertThat(SourceLocation.of(chunks.getLast()).lines().orElseThrow().last()).isEqualTo(44);
  }

  @Test
  void code_stays_whole_where_it_fits() throws Exception {
    var code = "```\n" + "call();\n\n".repeat(8) + "```";
    var chunks = StructureSplitter.of(60, 0).split(markdown("word ".repeat(30) + "\n\n" + code));
    assertThat(chunks).hasSize(2);
    assertThat(chunks.getLast().text()).isEqualTo(code);
  }

  @Test
  void long_text_is_cut_with_an_overlap_and_exact_lines() throws Exception {
    var text = new StringBuilder();
    for (int i = 1; i <= 60; i++) text.append("This is line number ").append(i).append(".\n");
    var chunks = StructureSplitter.of(80, 16).split(load("a.txt", text.toString()));
    assertThat(chunks.size()).isGreaterThan(4);
    for (int i = 0; i < chunks.size(); i++) {
      var lines = SourceLocation.of(chunks.get(i)).lines().orElseThrow();
      assertThat(chunks.get(i).text()).contains("number " + lines.last() + ".");
      assertThat(COUNTER.count(chunks.get(i).text())).isLessThanOrEqualTo(80);
      if (i == 0) continue;
      var before = SourceLocation.of(chunks.get(i - 1)).lines().orElseThrow();
      assertThat(lines.first()).isLessThanOrEqualTo(before.last()).isGreaterThan(before.first());
    }
  }

  @Test
  void no_chunk_is_larger_than_the_limit_and_no_word_is_lost() throws Exception {
    var random = new Random(7);
    for (int round = 0; round < 40; round++) {
      var text = new StringBuilder();
      int word = 0;
      for (int block = 0; block < 12; block++) {
        switch (random.nextInt(5)) {
          case 0 ->
              text.append("#".repeat(1 + random.nextInt(4)))
                  .append(" h")
                  .append(word++)
                  .append("\n\n");
          case 1 -> {
            text.append("| a").append(word++).append(" | b |\n|---|---|\n");
            for (int row = random.nextInt(30); row > 0; row--) {
              text.append("| w")
                  .append(word++)
                  .append(" | ")
                  .append("x".repeat(random.nextInt(40)))
                  .append(" |\n");
            }
            text.append('\n');
          }
          case 2 -> text.append("```\nw").append(word++).append("\n```\n\n");
          default -> {
            for (int i = random.nextInt(200); i > 0; i--) {
              text.append("w").append(word++).append(random.nextInt(9) == 0 ? ".\n" : " ");
            }
            text.append("é漢\uD83D\uDE00\n\n");
          }
        }
      }
      int max = 16 + random.nextInt(200);
      var splitter = StructureSplitter.of(max, random.nextInt(max / 2));
      var document = markdown(text.toString());
      var chunks = splitter.split(document);
      assertThat(splitter.split(document)).isEqualTo(chunks);
      var all = new StringBuilder();
      for (var chunk : chunks) {
        assertThat(COUNTER.count(chunk.text())).as(chunk.text()).isLessThanOrEqualTo(max);
        all.append(chunk.text())
            .append('\n')
            .append(SourceLocation.of(chunk).headings())
            .append('\n');
      }
      var words = List.of(all.toString().split("[\\s|>.]+"));
      for (var expected : text.toString().split("[\\s|.#]+")) {
        if (expected.startsWith("w")) assertThat(words).contains(expected);
      }
    }
  }

  @Test
  void sizes_that_make_no_sense_are_refused() {
    assertThatThrownBy(() -> StructureSplitter.of(15, 0)).hasMessageContaining("maxTokens");
    assertThatThrownBy(() -> StructureSplitter.of(20, 11)).hasMessageContaining("overlapTokens");
  }
}
