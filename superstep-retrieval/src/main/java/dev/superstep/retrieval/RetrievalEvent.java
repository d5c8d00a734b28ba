package dev.superstep.retrieval;

import java.time.Duration;
import java.util.List;

/// Something that happened in an index, a retriever or an indexer. Tells counts, ids and times, and
/// never texts, questions or vectors: those may be private and are large. Immutable.
public sealed interface RetrievalEvent {
  /// Texts are to be embedded.
  record EmbeddingStarted(String embedder, int texts) implements RetrievalEvent {}

  /// Texts were embedded.
  ///
  /// @param batches how often the embedder was asked
  record EmbeddingCompleted(String embedder, int texts, int batches, Duration took)
      implements RetrievalEvent {}

  /// Texts could not be embedded.
  record EmbeddingFailed(String embedder, int texts, String error) implements RetrievalEvent {}

  /// Chunks are in the index now.
  record ChunksAdded(List<String> ids, Duration took) implements RetrievalEvent {}

  /// Chunks are in the index no more.
  record ChunksDeleted(List<String> ids, Duration took) implements RetrievalEvent {}

  /// The index was searched.
  ///
  /// @param limit how many were asked for
  /// @param ids what was found, in its order
  record IndexSearched(int limit, List<String> ids, Duration took) implements RetrievalEvent {}

  /// A question was put to a retriever.
  record RetrieverStarted() implements RetrievalEvent {}

  /// A retriever answered.
  ///
  /// @param ids what it found, in its order
  record RetrieverCompleted(List<String> ids, Duration took) implements RetrievalEvent {}

  /// A retriever could not answer.
  record RetrieverFailed(String error) implements RetrievalEvent {}

  /// Matches were reranked.
  ///
  /// @param reranker its id
  /// @param ids of the matches that are left, in their new order
  record MatchesReranked(String reranker, List<String> ids, Duration took)
      implements RetrievalEvent {}

  /// Matches could not be reranked, and keep the order of the search.
  record RerankingFailed(String reranker, String error) implements RetrievalEvent {}

  /// A question was rewritten, or put in several ways.
  ///
  /// @param queries how many there are now, with the question itself
  record QueryRewritten(int queries, Duration took) implements RetrievalEvent {}

  /// A question could not be rewritten, and is used as it is.
  record QueryRewritingFailed(String error) implements RetrievalEvent {}

  /// Documents are to be indexed.
  record IndexingStarted(Cleanup cleanup) implements RetrievalEvent {}

  /// A document was brought up to date, or was found to be so.
  ///
  /// @param chunks how many it has in the index now
  record DocumentIndexed(String document, IndexingChange change, int chunks)
      implements RetrievalEvent {}

  /// Chunks without a record were removed from the index.
  record StrayChunksDeleted(List<String> ids) implements RetrievalEvent {}

  /// Documents were indexed.
  record IndexingCompleted(IndexingReport report, Duration took) implements RetrievalEvent {}

  /// Indexing stopped half way. Finished documents stay indexed; the same call again does the rest.
  record IndexingFailed(String error) implements RetrievalEvent {}

  /// The name by which it goes in logs.
  default String kind() {
    return switch (this) {
      case EmbeddingStarted _ -> "embedding.started";
      case EmbeddingCompleted _ -> "embedding.completed";
      case EmbeddingFailed _ -> "embedding.failed";
      case ChunksAdded _ -> "vector_store.added";
      case ChunksDeleted _ -> "vector_store.deleted";
      case IndexSearched _ -> "vector_store.searched";
      case RetrieverStarted _ -> "retriever.started";
      case RetrieverCompleted _ -> "retriever.completed";
      case RetrieverFailed _ -> "retriever.failed";
      case MatchesReranked _ -> "reranking.completed";
      case RerankingFailed _ -> "reranking.failed";
      case QueryRewritten _ -> "query.rewritten";
      case QueryRewritingFailed _ -> "query.rewriting_failed";
      case IndexingStarted _ -> "indexing.started";
      case DocumentIndexed _ -> "indexing.document";
      case StrayChunksDeleted _ -> "indexing.stray_deleted";
      case IndexingCompleted _ -> "indexing.completed";
      case IndexingFailed _ -> "indexing.failed";
    };
  }
}
