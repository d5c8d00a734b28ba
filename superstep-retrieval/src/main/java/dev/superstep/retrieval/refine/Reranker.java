package dev.superstep.retrieval.refine;

import dev.superstep.model.ModelException;
import dev.superstep.retrieval.Match;
import dev.superstep.retrieval.RetrievalEvent;
import dev.superstep.retrieval.RetrievalListener;
import dev.superstep.retrieval.Retriever;
import java.time.Duration;
import java.util.List;

/// Orders the matches of a search by how well they answer the question. It reads question and
/// passage together, so it judges better than a comparison of vectors, and costs more: let a search
/// find many and keep the best few. Safe for many threads.
///
/// ```java
/// var search = Retriever.over(index, query -> query.limit(40).hybrid());
/// var retriever = HttpReranker.cohere(url).withKey(key).withModel("rerank-v3.5").over(search, 5);
/// ```
public interface Reranker {
  /// Names it in events and in [Match.Reranked].
  String id();

  /// Returns the matches, the most relevant first; equally relevant ones stay in their order. The
  /// relevance is their score, and what they were before is in [Match#reranked()].
  ///
  /// @throws RerankFailed if the service cannot say
  /// @throws ModelException if the model cannot say
  List<Match> rerank(String question, List<Match> matches) throws InterruptedException;

  /// A retriever that keeps the most relevant matches of another one.
  ///
  /// @param limit how many at most
  default Retriever over(Retriever retriever, int limit) {
    return over(retriever, limit, RetrievalListener.NONE);
  }

  /// A retriever that keeps the most relevant matches of another one, and publishes its events. If
  /// the reranker fails, the matches stay in the order of the search.
  ///
  /// @param limit how many at most
  default Retriever over(Retriever retriever, int limit, RetrievalListener listener) {
    if (limit < 1) throw new IllegalArgumentException("limit must be at least 1, was " + limit);
    return question -> {
      var found = retriever.retrieve(question);
      if (found.isEmpty()) return found;
      long began = System.nanoTime();
      List<Match> ranked;
      try {
        ranked = rerank(question, found);
      } catch (RerankFailed | ModelException e) {
        Listening.publish(listener, new RetrievalEvent.RerankingFailed(id(), e.code()));
        return found.subList(0, Math.min(limit, found.size()));
      }
      var best = List.copyOf(ranked.subList(0, Math.min(limit, ranked.size())));
      var ids = best.stream().map(match -> match.chunk().id()).toList();
      var took = Duration.ofNanos(System.nanoTime() - began);
      Listening.publish(listener, new RetrievalEvent.MatchesReranked(id(), ids, took));
      return best;
    };
  }
}
