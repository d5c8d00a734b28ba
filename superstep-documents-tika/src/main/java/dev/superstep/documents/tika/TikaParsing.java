package dev.superstep.documents.tika;

import dev.superstep.documents.DocumentLimits;
import dev.superstep.documents.EncryptedDocument;
import dev.superstep.documents.ParserStopped;
import dev.superstep.documents.UnreadableDocument;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.tika.detect.CompositeDetector;
import org.apache.tika.detect.Detector;
import org.apache.tika.detect.microsoft.POIFSContainerDetector;
import org.apache.tika.detect.zip.DefaultZipContainerDetector;
import org.apache.tika.exception.EncryptedDocumentException;
import org.apache.tika.exception.TikaException;
import org.apache.tika.extractor.EmbeddedDocumentExtractor;
import org.apache.tika.io.TikaInputStream;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.metadata.TikaCoreProperties;
import org.apache.tika.mime.MimeTypes;
import org.apache.tika.parser.ParseContext;
import org.apache.tika.parser.Parser;
import org.apache.tika.parser.epub.EpubParser;
import org.apache.tika.parser.microsoft.OfficeParser;
import org.apache.tika.parser.microsoft.OfficeParserConfig;
import org.apache.tika.parser.microsoft.ooxml.OOXMLParser;
import org.apache.tika.parser.microsoft.rtf.RTFParser;
import org.apache.tika.parser.odf.OpenDocumentParser;
import org.apache.tika.parser.pdf.PDFParser;
import org.apache.tika.parser.pdf.PDFParserConfig;
import org.apache.tika.sax.SecureContentHandler;
import org.jspecify.annotations.Nullable;
import org.xml.sax.ContentHandler;
import org.xml.sax.SAXException;

/// Parses documents by the parsers of Tika for their formats: no others are asked, files inside of
/// files are not opened, nothing is run and no text is recognised in pictures. Safe for many
/// threads.
final class TikaParsing {
  /// The endings of the names of files, and the parsers for them.
  static final Set<String> EXTENSIONS =
      Set.of(
          "pdf", "docx", "docm", "doc", "xlsx", "xlsm", "xls", "pptx", "pptm", "ppt", "odt", "ods",
          "odp", "rtf", "epub");

  private static final Map<String, Parser> PARSERS =
      Map.of(
          "application/pdf", new PDFParser(),
          "application/vnd.openxmlformats-officedocument", new OOXMLParser(),
          "application/vnd.ms-word.document.macroenabled", new OOXMLParser(),
          "application/vnd.ms-excel.sheet.macroenabled", new OOXMLParser(),
          "application/vnd.ms-powerpoint.presentation.macroenabled", new OOXMLParser(),
          "application/vnd.oasis.opendocument", new OpenDocumentParser(),
          "application/rtf", new RTFParser(),
          "application/epub+zip", new EpubParser());
  private static final Set<String> OLD_OFFICE =
      Set.of("application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint");

  private static final Detector DETECTOR =
      new CompositeDetector(
          new POIFSContainerDetector(),
          new DefaultZipContainerDetector(),
          MimeTypes.getDefaultMimeTypes());

  private TikaParsing() {}

  /// Hands the blocks of a document to a sink.
  ///
  /// @throws dev.superstep.documents.DocumentFailed if it cannot be read within the limits
  static void parse(String id, byte[] bytes, DocumentLimits limits, BlockSink sink)
      throws InterruptedException {
    var reader = new XhtmlReader(id, limits, sink);
    try (var in = TikaInputStream.get(bytes)) {
      var metadata = new Metadata();
      metadata.set(TikaCoreProperties.RESOURCE_NAME_KEY, id);
      var type = DETECTOR.detect(in, metadata).toString();
      metadata.set(Metadata.CONTENT_TYPE, type);
      var parser = parser(type);
      if (parser == null) {
        throw new UnreadableDocument(
            id,
            "is %s inside, which is none of the formats that are read here".formatted(type),
            null);
      }
      var handler = new SecureContentHandler(reader, in);
      handler.setMaximumDepth(limits.maxDepth());
      parser.parse(in, handler, metadata, context());
      reader.finish();
    } catch (EncryptedDocumentException _) {
      throw new EncryptedDocument(id);
    } catch (IOException | SAXException | TikaException | RuntimeException e) {
      reader.rethrow();
      if (e instanceof dev.superstep.documents.DocumentFailed known) throw known;
      throw failure(id, e);
    } catch (StackOverflowError e) {
      throw new ParserStopped(id, "is nested too deeply for its parser");
    } catch (LinkageError e) {
      throw new UnreadableDocument(id, "needs a parser library that is not there", e);
    }
    // A parser may go on with what it has when its reader stops it.
    reader.rethrow();
  }

  private static RuntimeException failure(String id, Exception error) {
    int depth = 0;
    for (Throwable cause = error; cause != null && depth++ < 20; cause = cause.getCause()) {
      if (cause instanceof EncryptedDocumentException
          || cause instanceof org.apache.poi.EncryptedDocumentException) {
        return new EncryptedDocument(id);
      }
      var message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
      if (message.contains("zip bomb")) {
        return new ParserStopped(id, "unpacks to far more than its size, like a zip bomb");
      }
    }
    return new UnreadableDocument(
        id, "cannot be parsed: " + error.getClass().getSimpleName(), error);
  }

  private static @Nullable Parser parser(String type) {
    var name = type.toLowerCase(Locale.ROOT);
    for (var entry : PARSERS.entrySet()) {
      if (name.startsWith(entry.getKey())) return entry.getValue();
    }
    // What an old file holds is only known once it is open.
    return OLD_OFFICE.contains(name) ? new OfficeParser() : null;
  }

  private static ParseContext context() {
    var context = new ParseContext();
    context.set(EmbeddedDocumentExtractor.class, NO_EMBEDDED);
    var pdf = new PDFParserConfig();
    pdf.setOcrStrategy(PDFParserConfig.OCR_STRATEGY.NO_OCR);
    pdf.setExtractInlineImages(false);
    pdf.setExtractAnnotationText(false);
    pdf.setSortByPosition(true);
    context.set(PDFParserConfig.class, pdf);
    var office = new OfficeParserConfig();
    office.setExtractMacros(false);
    office.setIncludeHeadersAndFooters(false);
    context.set(OfficeParserConfig.class, office);
    return context;
  }

  private static final EmbeddedDocumentExtractor NO_EMBEDDED =
      new EmbeddedDocumentExtractor() {
        @Override
        public boolean shouldParseEmbedded(Metadata metadata) {
          return false;
        }

        @Override
        public void parseEmbedded(
            InputStream in, ContentHandler handler, Metadata metadata, boolean outputHtml) {}
      };
}
