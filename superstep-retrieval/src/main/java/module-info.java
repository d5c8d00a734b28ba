/// Answers from documents: splits, indexes and searches them, by meaning and by words.
///
/// Start at [dev.superstep.retrieval.VectorIndex], then [dev.superstep.retrieval.Retriever] for a
/// tool of an agent. Documents and their chunks are in `chunk`, the interface for implementers of a
/// storage in `vector`. `superstep-lucene` has an index on disk, `superstep-pgvector` one in
/// PostgreSQL, `superstep-embeddings` a model.
@org.jspecify.annotations.NullMarked
module dev.superstep.retrieval {
  requires transitive dev.superstep.agent;
  requires java.net.http;
  requires tools.jackson.databind;

  exports dev.superstep.retrieval;
  exports dev.superstep.retrieval.chunk;
  exports dev.superstep.retrieval.citation;
  exports dev.superstep.retrieval.refine;
  exports dev.superstep.retrieval.vector;

  // The record of sources in a thread, and the answers of models, are hidden records.
  opens dev.superstep.retrieval.citation to
      tools.jackson.databind;
  opens dev.superstep.retrieval.refine to
      tools.jackson.databind;
}
