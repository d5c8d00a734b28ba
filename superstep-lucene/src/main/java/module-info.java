/// An index of documents on disk, for search by meaning and by words.
///
/// Start at [dev.superstep.retrieval.lucene.LuceneVectors].
@org.jspecify.annotations.NullMarked
module dev.superstep.lucene {
  requires transitive dev.superstep.retrieval;
  requires org.apache.lucene.core;

  exports dev.superstep.retrieval.lucene;
}
