package dev.superstep.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/// Shows a missing store as what to do about it, in place of a stack trace.
final class StoreMissingAnalyzer extends AbstractFailureAnalyzer<StoreMissing> {
  @Override
  protected FailureAnalysis analyze(Throwable root, StoreMissing cause) {
    return new FailureAnalysis(
        String.valueOf(cause.getMessage()), "See superstep.store in the guide.", cause);
  }
}
