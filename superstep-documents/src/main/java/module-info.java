/// Documents as structure: headings, paragraphs, lists, tables and code with their pages and lines;
/// chunks that are cut by that structure and cite it; and an index that follows a folder.
///
/// Start at [dev.superstep.documents.DocumentLoader], then
/// [dev.superstep.documents.StructureSplitter] and [dev.superstep.documents.ingestion.Ingestion].
/// `superstep-documents-tika` reads PDF and office files.
@org.jspecify.annotations.NullMarked
module dev.superstep.documents {
  requires transitive dev.superstep.retrieval;
  requires org.commonmark;
  requires org.commonmark.ext.gfm.tables;
  requires org.jsoup;

  exports dev.superstep.documents;
  exports dev.superstep.documents.ingestion;

  // The holder of a lease is a hidden record.
  opens dev.superstep.documents.ingestion to
      tools.jackson.databind;
}
