package dev.superstep.testkit.retrieval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.Document;
import dev.superstep.retrieval.chunk.InvalidDocument;
import dev.superstep.retrieval.chunk.Splitter;
import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Property;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T51")
class SplitterTest {
  private static final int CASES = 3_000;
  private static final List<String> PIECES =
      List.of(
          "a",
          "word",
          "longerword",
          " ",
          "  ",
          "\n",
          "\n\n",
          "\r\n",
          "\r\n\r\n",
          ". ",
          "! ",
          "...",
          "?\" ",
          "。",
          "漢字",
          "😀",
          "👩‍👩‍👧",
          "é",
          "# ",
          "## Title\n",
          "```\n",
          "~~~\n",
          "\t",
          "\u00a0",
          "\0",
          "x".repeat(30));

  private record Case(String text, Splitter splitter, int max, int overlap) {}

  private static Case draw(Choices choices, boolean overlapping) {
    int max = choices.between(4, 40);
    int overlap = overlapping ? choices.between(0, max / 2) : 0;
    boolean markdown = choices.chance(50);
    var splitter = markdown ? Splitter.markdown(max, overlap) : Splitter.text(max, overlap);
    return new Case(String.join("", choices.list(40, c -> c.of(PIECES))), splitter, max, overlap);
  }

  @Test
  void chunks_without_overlap_are_the_text_but_for_white_space() throws Exception {
    Property.check(
        1,
        CASES,
        choices -> draw(choices, false),
        given -> {
          int at = 0;
          for (var chunk : split(given)) {
            var place = chunk.provenance();
            assertThat(given.text().substring(at, place.start())).isBlank();
            assertThat(chunk.text()).isEqualTo(given.text().substring(place.start(), place.end()));
            at = place.end();
          }
          assertThat(given.text().substring(at)).isBlank();
        });
  }

  @Test
  void chunks_of_short_words_join_to_the_whole_text() throws Exception {
    Property.check(
        500_000,
        500,
        choices -> {
          var words = choices.list(40, c -> c.of("a", "word", "longerone", "😀") + gap(c));
          return new Case(String.join("", words), Splitter.text(choices.between(12, 60), 0), 0, 0);
        },
        given -> {
          var together = new StringBuilder();
          for (var chunk : split(given)) together.append(chunk.text());
          assertThat(together.toString()).isEqualTo(given.text());
        });
  }

  private static String gap(Choices choices) {
    return choices.of(" ", ". ", "\n", "! ");
  }

  @Test
  void no_chunk_is_too_long_or_blank_or_cut_inside_a_character() throws Exception {
    Property.check(
        1_000_000,
        CASES,
        choices -> draw(choices, true),
        given -> {
          for (var chunk : split(given)) {
            assertThat(chunk.text().length()).isBetween(1, given.max());
            assertThat(chunk.text()).isNotBlank();
            assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(chunk.text())).isTrue();
          }
        });
  }

  @Test
  void chunks_overlap_by_so_much_at_most_and_leave_nothing_out() throws Exception {
    Property.check(
        2_000_000,
        CASES,
        choices -> draw(choices, true),
        given -> {
          int end = 0;
          for (var chunk : split(given)) {
            var place = chunk.provenance();
            assertThat(chunk.text()).isEqualTo(given.text().substring(place.start(), place.end()));
            assertThat(end - place.start()).isLessThanOrEqualTo(given.overlap());
            if (place.start() > end) {
              assertThat(given.text().substring(end, place.start())).isBlank();
            }
            assertThat(place.end()).isGreaterThan(end);
            end = place.end();
          }
          assertThat(given.text().substring(end)).isBlank();
        });
  }

  @Test
  void the_same_document_gives_the_same_chunks_with_ids_of_their_own() throws Exception {
    Property.check(
        3_000_000,
        500,
        choices -> draw(choices, true),
        given -> {
          var chunks = split(given);
          assertThat(split(given)).isEqualTo(chunks);
          assertThat(chunks).extracting(Chunk::id).doesNotHaveDuplicates();
        });
  }

  @Test
  void text_is_split_at_the_coarsest_possible_boundary() {
    var text = "First paragraph. It has two sentences.\n\nSecond one.\nWith a line.\n\nThird.";
    assertThat(texts(Splitter.text(45, 0), text))
        .containsExactly(
            "First paragraph. It has two sentences.\n\n", "Second one.\nWith a line.\n\nThird.");
    assertThat(texts(Splitter.text(30, 0), text))
        .containsExactly(
            "First paragraph. ",
            "It has two sentences.\n\n",
            "Second one.\nWith a line.\n\n",
            "Third.");
    assertThat(texts(Splitter.text(16, 0), "one two three four five"))
        .containsExactly("one two three ", "four five");
    assertThat(texts(Splitter.text(4, 0), "abcdefg")).containsExactly("abcd", "efg");
  }

  @Test
  void an_overlap_begins_with_a_word() {
    assertThat(texts(Splitter.text(20, 8), "one two three four five six seven"))
        .containsExactly("one two ", "one two three four ", "four five six ", "six seven");
  }

  @Test
  void markdown_is_cut_at_headings_which_the_chunks_name() {
    var text =
        """
        Before.
        # Payment
        How to pay.
        ## Refunds ##
        Within a week.
        ```
        # no heading
        ```
        ## Cards
        All.
        # Visits
        #hashtag is none
        """;
    var chunks = Splitter.markdown(200, 0).split(Document.of("faq", text).with("lang", "en"));
    assertThat(chunks)
        .extracting(chunk -> chunk.metadata().get("headings"))
        .containsExactly(null, "Payment", "Payment > Refunds", "Payment > Cards", "Visits");
    assertThat(chunks).extracting(Chunk::id).startsWith("faq#0", "faq#1").endsWith("faq#4");
    assertThat(chunks).allMatch(chunk -> "en".equals(chunk.metadata().get("lang")));
    assertThat(chunks.get(2).text()).contains("# no heading").startsWith("## Refunds");
    assertThat(chunks.getLast().text()).isEqualTo("# Visits\n#hashtag is none\n");
    var small = Splitter.markdown(12, 0).split(Document.of("faq", "# A b\none two three four"));
    assertThat(small).allMatch(chunk -> "A b".equals(chunk.metadata().get("headings")));
  }

  @Test
  @Tag("W33")
  void nothing_gives_no_chunks() {
    for (var text : List.of("", " ", "\n\n \t\r\n")) {
      assertThat(Splitter.text(10, 5).split(Document.of("d", text))).isEmpty();
      assertThat(Splitter.markdown(10, 5).split(Document.of("d", text))).isEmpty();
    }
  }

  /// Texts come from outside, so no text may take long.
  @Test
  void long_runs_of_anything_are_cut_in_little_time() {
    var began = System.nanoTime();
    for (var run : List.of(".", " ", "\n", "\n ", "x", "# ", "`", "!\"", "。", "😀", ".\"x")) {
      var document = Document.of("d", run.repeat(100_000));
      Splitter.text(500, 50).split(document);
      Splitter.markdown(500, 50).split(document);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(60));
  }

  @Test
  void invalid_documents_are_refused_by_name() {
    assertThatThrownBy(() -> Document.of("d", "half \ud83d"))
        .isInstanceOf(InvalidDocument.class)
        .hasMessageContaining("`d`")
        .hasMessageContaining("surrogate");
    assertThatThrownBy(() -> Document.of(" ", "text"))
        .isInstanceOf(InvalidDocument.class)
        .hasMessageContaining("blank id");
    assertThatThrownBy(() -> Document.of("d".repeat(901), "text"))
        .isInstanceOf(InvalidDocument.class)
        .hasMessageContaining("900");
    assertThatThrownBy(() -> Chunk.of("c", " \n")).isInstanceOf(InvalidDocument.class);
    assertThatThrownBy(() -> Chunk.of("c", "text").with("", "v"))
        .isInstanceOf(InvalidDocument.class);
    assertThatThrownBy(() -> Splitter.text(3, 0)).hasMessageContaining("max");
    assertThatThrownBy(() -> Splitter.text(10, 6)).hasMessageContaining("overlap");
  }

  private static List<Chunk> split(Case given) {
    return given.splitter().split(Document.of("d", given.text()));
  }

  private static List<String> texts(Splitter splitter, String text) {
    return splitter.split(Document.of("d", text)).stream().map(Chunk::text).toList();
  }
}
