package dev.superstep.retrieval.refine;

import dev.superstep.json.SuperstepException;
import org.jspecify.annotations.Nullable;

/// A reranking service did not answer, refused, or answered with something else than relevances.
public final class RerankFailed extends SuperstepException {
  private final String reranker;

  /// @param reranker its id
  /// @param why one sentence without a full stop
  /// @param advice what to do, with a full stop
  public RerankFailed(String reranker, String why, String advice, @Nullable Throwable cause) {
    super(
        "retrieval.rerank-failed",
        "The reranker `%s` failed: %s. %s".formatted(reranker, why, advice),
        cause);
    this.reranker = reranker;
  }

  /// The id of the reranker.
  public String reranker() {
    return reranker;
  }
}
