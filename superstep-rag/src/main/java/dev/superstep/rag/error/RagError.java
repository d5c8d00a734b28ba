package dev.superstep.rag.error;

import dev.superstep.json.SuperstepException;

/// A node of a graph as text cannot do what the text says. The run fails with [RagRunFailed], which
/// says where.
public final class RagError extends SuperstepException {
  public RagError(String code, String message) {
    super(code, message);
  }
}
