package dev.superstep.retrieval.vector;

import dev.superstep.retrieval.chunk.ChunkFilter;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A storage of chunks with their vectors. This is the interface for implementers; others use a
/// [dev.superstep.retrieval.VectorIndex], which checks, embeds and ranks in the same way for all
/// storages. Safe for many threads.
///
/// A method that returned has stored its change; one that threw has written nothing.
/// Implementations must pass `VectorIndexSuite` of the testkit, and throw [IndexFailed] if what
/// they are built on fails.
public interface VectorStorage extends AutoCloseable {
  /// The vector space of its vectors; empty until the first [#put].
  Optional<VectorSpace> space();

  /// Stores all of these or none; each replaces the chunk with its id.
  ///
  /// @param space the space of all vectors; the first call fixes it
  /// @param entries not empty, no two with the same id
  void put(VectorSpace space, List<EmbeddedChunk> entries);

  /// Deletes the chunks with these ids.
  ///
  /// @param ids not empty
  /// @return the ids that were present
  Set<String> delete(Set<String> ids);

  /// Returns the chunks with these ids that exist, in any order.
  ///
  /// @param ids not empty
  List<EmbeddedChunk> get(Set<String> ids);

  /// Returns the ids of the chunks that the filter accepts, in any order.
  Collection<String> ids(ChunkFilter filter);

  /// Returns the chunks nearest to a vector, the nearest first; it may miss one that is almost as
  /// near.
  ///
  /// @param limit how many at most
  List<EmbeddedChunk> nearest(Embedding sought, int limit, ChunkFilter filter);

  /// Returns the chunks with the best BM25 score for these words, the best first.
  ///
  /// @param words from [dev.superstep.retrieval.chunk.Tokenizer#of], not empty, none twice; the
  ///   words of a chunk are those of its text
  /// @param limit how many at most
  List<EmbeddedChunk> matching(List<String> words, int limit, ChunkFilter filter);

  /// The number of chunks.
  long size();

  /// Called once.
  @Override
  void close();
}
