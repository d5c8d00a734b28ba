package dev.superstep.documents.tika;

import dev.superstep.documents.DocumentLimits;
import dev.superstep.documents.DocumentLoader;
import dev.superstep.documents.SourceDocument;
import dev.superstep.documents.StructuredDocument;
import java.util.List;

/// Reads PDF, Word (`docx`, `doc`), Excel (`xlsx`, `xls`), PowerPoint (`pptx`, `ppt`), OpenDocument
/// (`odt`, `ods`, `odp`), RTF and EPUB files by Apache Tika. Immutable, safe for many threads; the
/// `with` methods return changed copies.
///
/// ```java
/// var loader = DocumentLoader.firstOf(DocumentLoader.standard(), TikaLoader.isolated());
/// ```
///
/// PDFs have pages, presentations have slides and workbooks have sheets as pages; lines are those
/// of the extracted text on the page, empty ones left out. Files inside of files are not opened,
/// and pictures are not read.
///
/// Parsers of such formats have a long history of files that make them loop or fill the memory. In
/// the process, limits hold where a parser makes output. A process of its own is ended whatever the
/// parser does, so use that for files from outside.
public final class TikaLoader implements DocumentLoader {
  private static final int MEGABYTES = 512;
  private static final int MEGABYTES_LEAST = 64;

  private final DocumentLimits limits;
  private final Place place;

  /// The place where parsers run.
  private sealed interface Place {
    record InProcess() implements Place {}

    record Isolated(ParserProcess process) implements Place {}
  }

  private TikaLoader(DocumentLimits limits, Place place) {
    this.limits = limits;
    this.place = place;
  }

  /// A loader whose parsers run in this process, for files that you trust.
  public static TikaLoader inProcess() {
    return new TikaLoader(DocumentLimits.standard(), new Place.InProcess());
  }

  /// A loader that starts a Java process for each document, with 512 MB of memory and the class
  /// path of this one, but without its environment variables. Starting costs about a second.
  public static TikaLoader isolated() {
    return new TikaLoader(
        DocumentLimits.standard(),
        new Place.Isolated(new ParserProcess(MEGABYTES, List.of(), ParserProcess.ownClassPath())));
  }

  /// Sets the limits. The process of an isolated loader is ended a little after `maxTime`.
  public TikaLoader withLimits(DocumentLimits other) {
    return new TikaLoader(other, place);
  }

  /// Sets the memory of the processes.
  ///
  /// @param megabytes at least 64
  /// @throws IllegalStateException if the loader is not isolated
  public TikaLoader withMemory(int megabytes) {
    if (megabytes < MEGABYTES_LEAST) {
      throw new IllegalArgumentException(
          "megabytes must be at least %d, was %d".formatted(MEGABYTES_LEAST, megabytes));
    }
    var process = process();
    return new TikaLoader(
        limits,
        new Place.Isolated(new ParserProcess(megabytes, process.prefix(), process.classPath())));
  }

  /// Starts the processes by another command, such as a sandbox without network: it is followed by
  /// the command of Java and its arguments.
  ///
  /// @throws IllegalStateException if the loader is not isolated
  public TikaLoader withCommandPrefix(String... words) {
    var process = process();
    return new TikaLoader(
        limits,
        new Place.Isolated(
            new ParserProcess(process.megabytes(), List.of(words), process.classPath())));
  }

  /// Sets the class path of the processes, for programs whose own is not made of files, such as
  /// those in a single jar with jars inside.
  ///
  /// @param paths must have this module and what it depends on
  /// @throws IllegalStateException if the loader is not isolated
  public TikaLoader withClassPath(String paths) {
    var process = process();
    return new TikaLoader(
        limits,
        new Place.Isolated(new ParserProcess(process.megabytes(), process.prefix(), paths)));
  }

  private ParserProcess process() {
    if (place instanceof Place.Isolated(var process)) return process;
    throw new IllegalStateException(
        "A loader in the process has no process of its own. Use TikaLoader.isolated().");
  }

  @Override
  public boolean accepts(SourceDocument document) {
    return TikaParsing.EXTENSIONS.contains(document.extension());
  }

  @Override
  public String id() {
    return "tika 3 1";
  }

  @Override
  public StructuredDocument load(SourceDocument document) throws InterruptedException {
    var bytes = document.read(limits.maxBytes());
    var builder = StructuredDocument.builder(document, limits);
    var sink = BlockSink.into(builder);
    switch (place) {
      case Place.InProcess _ -> TikaParsing.parse(document.id(), bytes, limits, sink);
      case Place.Isolated(var process) -> process.parse(document.id(), bytes, limits, sink);
    }
    return builder.build();
  }

  @Override
  public String toString() {
    return "TikaLoader[" + place + ", " + limits + "]";
  }
}
