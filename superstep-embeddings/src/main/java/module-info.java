/// An embedding model that runs in this process, for search by meaning without a service.
///
/// Start at [dev.superstep.store.embedding.MiniLmEmbedder].
@org.jspecify.annotations.NullMarked
module dev.superstep.embeddings {
  requires transitive dev.superstep.graph;
  requires langchain4j.core;
  requires langchain4j.embeddings;
  requires langchain4j.embeddings.all.minilm.l6.v2.q;

  exports dev.superstep.store.embedding;
}
