/// Reads PDF, Word, Excel, PowerPoint, OpenDocument, RTF and EPUB files by Apache Tika, in the
/// process or in one of its own with limits on time and memory; and e-mails with their attachments.
///
/// Start at [dev.superstep.documents.tika.TikaLoader].
@org.jspecify.annotations.NullMarked
module dev.superstep.documents.tika {
  requires transitive dev.superstep.documents;
  requires apache.mime4j.core;
  requires apache.mime4j.dom;
  requires java.xml;
  requires org.apache.poi.poi;
  requires org.apache.tika.core;
  requires org.apache.tika.parser.microsoft;
  requires org.apache.tika.parser.miscoffice;
  requires org.apache.tika.parser.pdf;
  requires org.apache.tika.parser.zip;

  exports dev.superstep.documents.tika;
}
