package dev.superstep.retrieval;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Keeps chunks with their vectors, and finds them. For those who write one; others use a
/// [VectorIndex], which checks, embeds and ranks in front of it, the same way for all. Safe for
/// many threads.
///
/// What a method returned for is kept; one that throws has written nothing. Implementations must
/// pass `VectorIndexSuite` of the test kit, and throw [IndexFailed] when what is below them fails.
public interface VectorStorage extends AutoCloseable {
  /// Whose vectors it holds; empty until the first [#put].
  Optional<VectorSpace> space();

  /// Keeps all of these, each in place of the one of its id, or none.
  ///
  /// @param space where all vectors are; the first call fixes it
  /// @param entries not empty, no two with the same id
  void put(VectorSpace space, List<EmbeddedChunk> entries);

  /// Forgets the chunks of these ids.
  ///
  /// @param ids not empty
  /// @return those of them that it had
  Set<String> delete(Set<String> ids);

  /// Those of these ids that it has, in any order.
  ///
  /// @param ids not empty
  List<EmbeddedChunk> get(Set<String> ids);

  /// The ids of the chunks for which the filter holds, in any order.
  Collection<String> ids(ChunkFilter filter);

  /// The chunks nearest to a vector, the nearest first; may miss one that is nearly as near.
  ///
  /// @param limit how many at most
  List<EmbeddedChunk> nearest(Embedding sought, int limit, ChunkFilter filter);

  /// The chunks that have most of these words, by BM25, the best first.
  ///
  /// @param words from [Tokenizer#of], not empty, none twice; the words of a chunk are those of its
  ///   text
  /// @param limit how many at most
  List<EmbeddedChunk> matching(List<String> words, int limit, ChunkFilter filter);

  /// How many chunks it has.
  long size();

  /// Called once.
  @Override
  void close();
}
