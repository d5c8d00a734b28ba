package dev.superstep.documents.tika;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.documents.Block;
import dev.superstep.documents.Lines;
import dev.superstep.documents.SourceDocument;
import dev.superstep.documents.StructureSplitter;
import dev.superstep.documents.StructuredDocument;
import dev.superstep.documents.UnreadableDocument;
import dev.superstep.retrieval.chunk.SourceLocation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Formats that are read by Tika, in the process.
class TikaLoaderTest {
  private final TikaLoader loader = TikaLoader.inProcess();

  private StructuredDocument load(String name, byte[] bytes) throws InterruptedException {
    return loader.load(SourceDocument.of(name, bytes));
  }

  @Test
  void a_pdf_has_pages_and_lines() throws Exception {
    var pages = List.of(List.of("First line.", "Second line."), List.of("On page two."));
    var document = load("a.pdf", OfficeFiles.pdf("The Title", pages));
    assertThat(document.title()).isEqualTo("The Title");
    assertThat(document.pages()).isEqualTo(2);
    var chunks = StructureSplitter.of(100, 0).split(document);
    assertThat(chunks).hasSize(2);
    assertThat(chunks.get(0).text()).isEqualTo("First line.\nSecond line.");
    assertThat(SourceLocation.of(chunks.get(0)).text()).isEqualTo("a.pdf, page 1, lines 1-2");
    assertThat(SourceLocation.of(chunks.get(1)).text()).isEqualTo("a.pdf, page 2, line 1");
  }

  @Test
  void a_word_file_has_headings_and_tables() throws Exception {
    var document = load("a.docx", OfficeFiles.docx());
    assertThat(document.blocks().get(0)).isInstanceOf(Block.Heading.class);
    assertThat(document.blocks().get(1).text()).isEqualTo("Money comes back within a week.");
    assertThat(document.blocks().get(1).place().headings()).containsExactly("Payment");
    var table = (Block.Table) document.blocks().get(2);
    assertThat(table.text()).isEqualTo("| kind | days |\n| card | 7 |");
    assertThat(table.headerRows()).isEqualTo(1);
  }

  @Test
  void sheets_and_slides_are_pages() throws Exception {
    var workbook = load("a.xlsx", OfficeFiles.xlsx());
    assertThat(workbook.pages()).isEqualTo(2);
    var chunks = StructureSplitter.of(100, 0).split(workbook);
    assertThat(chunks.get(0).text()).isEqualTo("Prices\n| item | price |\n| tea | 3 |");
    assertThat(chunks.get(1).text()).isEqualTo("Notes\n| Green tea only. |");
    assertThat(SourceLocation.of(chunks.get(1)).pages()).contains(new SourceLocation.Range(2, 2));

    var slides = load("a.pptx", OfficeFiles.pptx());
    assertThat(slides.pages()).isEqualTo(2);
    var last = slides.blocks().getLast();
    assertThat(last.text()).isEqualTo("Slide text 2");
    assertThat(last.place().page()).contains(2);
    assertThat(last.place().lines()).isEqualTo(Optional.of(new Lines(1, 1)));
  }

  @Test
  void other_formats_of_text_are_read() throws Exception {
    var odt = load("a.odt", OfficeFiles.odt("", "Money."));
    assertThat(odt.blocks().get(1).text()).isEqualTo("Money.");
    assertThat(odt.blocks().get(2)).isInstanceOf(Block.Items.class);
    assertThat(odt.blocks().get(2).text()).isEqualTo("- one\n- two");
    var rtf = "{\\rtf1\\ansi\\deff0 {\\fonttbl{\\f0 Arial;}}\\f0 Caf\\'e9.\\par Second.\\par}";
    var bytes = rtf.getBytes(StandardCharsets.ISO_8859_1);
    assertThat(load("a.rtf", bytes).text()).isEqualTo("Café.\n\nSecond.");
    assertThat(load("a.xls", OfficeFiles.xls()).text()).contains("An old sheet.");
    var epub = load("a.epub", OfficeFiles.epub());
    assertThat(epub.blocks().getLast().text()).isEqualTo("It was a dark night.");
    assertThat(epub.blocks().getLast().place().headings()).containsExactly("Chapter");
  }

  @Test
  void a_file_of_another_format_than_its_name_is_not_parsed() {
    var page = "<html><body>text</body></html>".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> load("a.pdf", page))
        .isInstanceOf(UnreadableDocument.class)
        .hasMessageContaining("`a.pdf`")
        .hasMessageContaining("text/html");
  }
}
