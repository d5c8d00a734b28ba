package dev.superstep.documents.tika;

import dev.superstep.documents.DocumentLimits;
import dev.superstep.documents.DocumentLoader;
import dev.superstep.documents.SourceDocument;
import dev.superstep.documents.StructuredDocument;

/// Reads e-mails (`eml`): the subject as title and heading, a paragraph with sender, receivers and
/// date, the text or HTML, and attachments by other loaders. Immutable, safe for many threads.
///
/// ```java
/// var files = DocumentLoader.firstOf(DocumentLoader.standard(), TikaLoader.isolated());
/// var loader = DocumentLoader.firstOf(files, MailLoader.withAttachments(files));
/// ```
///
/// Of alternative texts, it takes the last one that is readable, mostly HTML. Pages of an
/// attachment are headings of the mail; blocks have no lines. An attachment that no loader accepts,
/// or that cannot be read, is named in the text with the reason. Nothing that a mail refers to is
/// loaded, and signatures are not checked.
///
/// Mails are parsed in this process. Attachments are as safe as their loader.
public final class MailLoader implements DocumentLoader {
  private static final String EXTENSION = "eml";

  private final DocumentLoader attachments;
  private final DocumentLimits limits;

  private MailLoader(DocumentLoader attachments, DocumentLimits limits) {
    this.attachments = attachments;
    this.limits = limits;
  }

  /// A loader of mails, with the standard limits.
  ///
  /// @param attachments reads attached files, by the endings of their names
  public static MailLoader withAttachments(DocumentLoader attachments) {
    return new MailLoader(attachments, DocumentLimits.standard());
  }

  /// Sets the limits of a mail with all its attachments. No attachment is begun when `maxTime` is
  /// over.
  public MailLoader withLimits(DocumentLimits other) {
    return new MailLoader(attachments, other);
  }

  @Override
  public boolean accepts(SourceDocument document) {
    return document.extension().equals(EXTENSION);
  }

  @Override
  public String id() {
    return "mail 1 (" + attachments.id() + ")";
  }

  @Override
  public StructuredDocument load(SourceDocument document) throws InterruptedException {
    var parts = MailParts.read(document, limits);
    return new MailReader(document, attachments, limits).read(parts);
  }

  @Override
  public String toString() {
    return "MailLoader[" + attachments.id() + ", " + limits + "]";
  }
}
