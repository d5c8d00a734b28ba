package dev.superstep.documents.tika;

import dev.superstep.documents.Lines;
import dev.superstep.documents.StructuredDocumentBuilder;
import java.util.List;
import java.util.Optional;

/// Receives the blocks of a document in their order.
interface BlockSink {
  void title(String text);

  void page(int number);

  void heading(int level, String text, Optional<Lines> lines);

  void paragraph(String text, Optional<Lines> lines);

  void items(String text, Optional<Lines> lines);

  void code(String text, Optional<Lines> lines);

  void table(List<StructuredDocumentBuilder.Row> rows, int headerRows);

  /// A sink that adds to a document.
  static BlockSink into(StructuredDocumentBuilder builder) {
    return new BlockSink() {
      @Override
      public void title(String text) {
        builder.title(text);
      }

      @Override
      public void page(int number) {
        builder.page(number);
      }

      @Override
      public void heading(int level, String text, Optional<Lines> lines) {
        builder.heading(level, text, lines);
      }

      @Override
      public void paragraph(String text, Optional<Lines> lines) {
        builder.paragraph(text, lines);
      }

      @Override
      public void items(String text, Optional<Lines> lines) {
        builder.items(text, lines);
      }

      @Override
      public void code(String text, Optional<Lines> lines) {
        builder.code("", text, lines);
      }

      @Override
      public void table(List<StructuredDocumentBuilder.Row> rows, int headerRows) {
        builder.table(rows, headerRows);
      }
    };
  }
}
