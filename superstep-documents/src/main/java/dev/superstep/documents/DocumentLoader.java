package dev.superstep.documents;

import java.util.List;

/// Reads documents of some formats as structure. Safe for many threads.
///
/// ```java
/// var loader = DocumentLoader.firstOf(DocumentLoader.standard(), TikaLoader.isolated());
/// var document = loader.load(SourceDocument.file(folder, file));
/// ```
///
/// Documents are untrusted: a loader bounds what it reads and makes, opens no network connection,
/// and throws a [DocumentFailed] for a document that it cannot read.
public interface DocumentLoader {
  /// Returns whether this loader reads the format of a document, judged by its name.
  boolean accepts(SourceDocument document);

  /// Reads a document.
  ///
  /// @throws DocumentFailed if the document cannot be read
  /// @throws InterruptedException if the calling thread is interrupted
  StructuredDocument load(SourceDocument document) throws InterruptedException;

  /// Names the way it reads. Documents that were read in another way are indexed again.
  String id();

  /// Names the way it reads this document; [#id] unless the loader is made of several.
  default String id(SourceDocument document) {
    return id();
  }

  /// A loader of plain text, Markdown and HTML, with the standard limits.
  static DocumentLoader standard() {
    return standard(DocumentLimits.standard());
  }

  /// A loader of plain text (`txt`, `log`, `csv` and such), Markdown (`md`, `markdown`) and HTML
  /// (`html`, `htm`, `xhtml`).
  static DocumentLoader standard(DocumentLimits limits) {
    return firstOf(new MarkdownLoader(limits), new HtmlLoader(limits), new PlainTextLoader(limits));
  }

  /// A loader that asks the first of some loaders that accepts a document.
  static DocumentLoader firstOf(DocumentLoader... loaders) {
    return new LoaderChain(List.of(loaders));
  }
}
