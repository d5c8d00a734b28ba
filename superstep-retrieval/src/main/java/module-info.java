/// Answers from documents: splits, indexes and searches them, by meaning and by words.
///
/// Start at [dev.superstep.retrieval.VectorIndex], then [dev.superstep.retrieval.Retriever] for a
/// tool of an agent. `superstep-lucene` has an index on disk, `superstep-pgvector` one in
/// PostgreSQL, `superstep-embeddings` a model.
@org.jspecify.annotations.NullMarked
module dev.superstep.retrieval {
  requires transitive dev.superstep.agent;

  exports dev.superstep.retrieval;
}
