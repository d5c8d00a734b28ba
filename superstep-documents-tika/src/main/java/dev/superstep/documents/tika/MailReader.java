package dev.superstep.documents.tika;

import dev.superstep.documents.Block;
import dev.superstep.documents.DocumentFailed;
import dev.superstep.documents.DocumentLimits;
import dev.superstep.documents.DocumentLoader;
import dev.superstep.documents.ParserStopped;
import dev.superstep.documents.SourceDocument;
import dev.superstep.documents.StructuredDocument;
import dev.superstep.documents.StructuredDocumentBuilder;
import dev.superstep.documents.UnreadableDocument;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.Multipart;
import org.apache.james.mime4j.dom.SingleBody;

/// Makes a document of the parts of a mail. One thread.
final class MailReader {
  private static final int ATTACHMENTS_MAX = 100;
  private static final int MAILS_DEEP_MAX = 3;
  private static final int HEADER_MAX = 2_000;
  private static final int NAME_MAX = 200;
  private static final List<String> SHOWN = List.of("From", "To", "Cc", "Date");
  private static final Map<String, String> EXTENSIONS =
      Map.of(
          "text/plain", ".txt",
          "text/markdown", ".md",
          "text/html", ".html",
          "text/csv", ".csv",
          "application/pdf", ".pdf",
          "application/json", ".json",
          "application/rtf", ".rtf");
  private static final Set<String> SIGNATURES =
      Set.of(
          "application/pkcs7-signature",
          "application/x-pkcs7-signature",
          "application/pgp-signature");
  private static final Set<String> ENCRYPTED =
      Set.of("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime");

  private final SourceDocument document;
  private final DocumentLoader attachments;
  private final DocumentLimits limits;
  private final DocumentLoader texts;
  private final StructuredDocumentBuilder builder;
  private final long end;
  private int attached;

  MailReader(SourceDocument document, DocumentLoader attachments, DocumentLimits limits) {
    this.document = document;
    this.attachments = attachments;
    this.limits = limits;
    this.texts = DocumentLoader.standard(limits);
    this.builder = StructuredDocument.builder(document, limits);
    this.end = System.nanoTime() + limits.maxTime().toNanos();
  }

  StructuredDocument read(Message mail) throws InterruptedException {
    builder.title(header(mail, "Subject"));
    readMail(mail, 1);
    if (attached > ATTACHMENTS_MAX) {
      note("%,d more attachments are not read.".formatted(attached - ATTACHMENTS_MAX));
    }
    return builder.build();
  }

  /// @param level of the heading that the mail has
  private void readMail(Message mail, int level) throws InterruptedException {
    builder.heading(level, header(mail, "Subject"), Optional.empty());
    var lines = new ArrayList<String>();
    for (var name : SHOWN) {
      var value = header(mail, name);
      if (!value.isEmpty()) lines.add(name + ": " + value);
    }
    builder.paragraph(String.join("\n", lines), Optional.empty());
    var files = new ArrayList<Entity>();
    readPart(mail, level, files);
    for (var file : files) readAttachment(file, level + 1);
  }

  private static String header(Entity part, String name) {
    var field = part.getHeader() == null ? null : part.getHeader().getField(name);
    if (field == null || field.getBody() == null) return "";
    var text = DecoderUtil.decodeEncodedWords(field.getBody(), DecodeMonitor.SILENT);
    return oneLine(text, HEADER_MAX);
  }

  private static String oneLine(String text, int max) {
    var line = text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    return line.length() <= max ? line : line.substring(0, max) + "...";
  }

  /// Adds what a part says, and collects what is attached.
  private boolean readPart(Entity part, int level, List<Entity> files) throws InterruptedException {
    if (ENCRYPTED.contains(part.getMimeType())) {
      // Whoever can send a part with a mail must not make the rest of it unreadable.
      if (part.getParent() != null) return noteEncrypted();
      throw new UnreadableDocument(document.id(), "is encrypted", null);
    }
    if (part.getBody() instanceof Multipart several) {
      if (part.getMimeType().equals("multipart/alternative")) {
        return readAlternative(several.getBodyParts(), level, files);
      }
      boolean isRead = false;
      for (var one : several.getBodyParts()) isRead |= readPart(one, level, files);
      return isRead;
    }
    if (isText(part)) return readText(part, level);
    if (!SIGNATURES.contains(part.getMimeType())) files.add(part);
    return false;
  }

  private boolean noteEncrypted() {
    note("A part is encrypted, and not read.");
    return false;
  }

  private boolean readAlternative(List<Entity> all, int level, List<Entity> files)
      throws InterruptedException {
    for (var one : all.reversed()) if (readPart(one, level, files)) return true;
    return false;
  }

  private static boolean isText(Entity part) {
    boolean isFile = part.getFilename() != null || "attachment".equals(part.getDispositionType());
    return !isFile && Set.of("text/plain", "text/html").contains(part.getMimeType());
  }

  private boolean readText(Entity part, int level) throws InterruptedException {
    // With a mark, so that nobody guesses the encoding again.
    var text = "\uFEFF" + new String(bytes(part), charset(part)).replace("\0", "");
    var name = part.getMimeType().equals("text/html") ? "body.html" : "body.txt";
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    var read = texts.load(SourceDocument.of(name, bytes));
    for (var block : read.blocks()) add(block, level);
    return !read.blocks().isEmpty();
  }

  /// The charset that a part names. Without one, or with that of US-ASCII, it is read as UTF-8,
  /// which has the same characters and more.
  private static Charset charset(Entity part) {
    try {
      var named = Charset.forName(String.valueOf(part.getCharset()));
      return named.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : named;
    } catch (IllegalCharsetNameException | UnsupportedCharsetException _) {
      return StandardCharsets.UTF_8;
    }
  }

  private byte[] bytes(Entity part) {
    if (!(part.getBody() instanceof SingleBody body)) return new byte[0];
    try (var in = body.getInputStream()) {
      // What is decoded is smaller than the mail, which is within the limit.
      return in.readNBytes(limits.maxBytes());
    } catch (IOException e) {
      throw new UnreadableDocument(document.id(), "has a part that cannot be decoded", e);
    }
  }

  private void readAttachment(Entity part, int level) throws InterruptedException {
    if (++attached > ATTACHMENTS_MAX) return;
    if (Thread.interrupted()) throw new InterruptedException("loading was cancelled");
    if (System.nanoTime() - end > 0) {
      var time = limits.maxTime().toMillis();
      throw new ParserStopped(document.id(), "took longer than %,d ms".formatted(time));
    }
    if (part.getBody() instanceof Message mail) {
      if (level <= MAILS_DEEP_MAX) readMail(mail, level);
      else note("An attached mail is not read: it is nested too deeply.");
      return;
    }
    var name = name(part);
    var file = SourceDocument.of(name, bytes(part));
    if (!attachments.accepts(file)) {
      note(
          "Attachment %s (%s) is not read.".formatted(name, oneLine(part.getMimeType(), NAME_MAX)));
      return;
    }
    var read = load(file);
    if (read.isEmpty()) return;
    builder.heading(level, "Attachment " + name, Optional.empty());
    int below = read.get().pages() > 0 ? level + 1 : level;
    for (var block : read.get().blocks()) add(block, below);
  }

  /// A bad attachment does not make a mail unreadable.
  private Optional<StructuredDocument> load(SourceDocument file) throws InterruptedException {
    try {
      return Optional.of(attachments.load(file));
    } catch (DocumentFailed e) {
      note("Attachment %s could not be read: %s.".formatted(file.id(), e.code()));
      return Optional.empty();
    }
  }

  private void note(String text) {
    builder.paragraph(text, Optional.empty());
  }

  /// The last part of the name that the sender gave, with an ending if it has none.
  private String name(Entity part) {
    var given = Optional.ofNullable(part.getFilename()).orElse("");
    var decoded = DecoderUtil.decodeEncodedWords(given, DecodeMonitor.SILENT).replace('\\', '/');
    var name = decoded.substring(decoded.lastIndexOf('/') + 1);
    var shown = oneLine(name, Integer.MAX_VALUE);
    if (shown.isEmpty()) shown = "attachment-" + attached;
    int dot = shown.lastIndexOf('.');
    if (dot < 0) return cut(shown) + EXTENSIONS.getOrDefault(part.getMimeType(), "");
    return cut(shown.substring(0, dot)) + cut(shown.substring(dot));
  }

  private static String cut(String name) {
    return name.length() <= NAME_MAX ? name : name.substring(0, NAME_MAX);
  }

  /// Adds a block of a part.
  ///
  /// @param above the level of the heading that it stands under
  private void add(Block block, int above) {
    switch (block) {
      case Block.Heading(int level, var text, _) ->
          builder.heading(above + level, text, Optional.empty());
      case Block.Paragraph(var text, _) -> builder.paragraph(text, Optional.empty());
      case Block.Items(var text, _) -> builder.items(text, Optional.empty());
      case Block.Code(var language, var text, _) -> builder.code(language, text, Optional.empty());
      case Block.Table(var rows, int header, _, _) ->
          builder.table(
              rows.stream()
                  .map(row -> new StructuredDocumentBuilder.Row(row.cells(), Optional.empty()))
                  .toList(),
              header);
      case Block.PageBreak(var place) ->
          place.page().ifPresent(page -> builder.heading(above, "page " + page, Optional.empty()));
    }
  }
}
