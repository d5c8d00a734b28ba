package dev.superstep.model.local;

import java.time.Duration;

/// Options of a local model. Immutable.
///
/// @param contextTokens prompt and answer together; memory grows with it
/// @param maxTokens the longest answer of a request that sets no limit itself
/// @param threads how many cores one answer may use
/// @param restarts how many crashes in a row are survived
/// @param startLimit how long loading the weights may take
public record LocalModelOptions(
    int contextTokens, int maxTokens, int threads, int restarts, Duration startLimit) {
  private static final int THREADS_MAX = 8;

  public LocalModelOptions {
    atLeast("contextTokens", contextTokens, 256);
    atLeast("maxTokens", maxTokens, 1);
    atLeast("threads", threads, 1);
    atLeast("restarts", restarts, 0);
    if (!startLimit.isPositive()) throw new IllegalArgumentException("startLimit must be positive");
  }

  /// 4096 tokens of context, answers of at most 512, every core up to eight, three restarts.
  public static LocalModelOptions defaults() {
    int cores = Math.min(THREADS_MAX, Runtime.getRuntime().availableProcessors());
    return new LocalModelOptions(4096, 512, cores, 3, Duration.ofSeconds(60));
  }

  /// Returns a copy with another context size.
  public LocalModelOptions withContextTokens(int tokens) {
    return new LocalModelOptions(tokens, maxTokens, threads, restarts, startLimit);
  }

  /// Returns a copy with another limit for answers.
  public LocalModelOptions withMaxTokens(int tokens) {
    return new LocalModelOptions(contextTokens, tokens, threads, restarts, startLimit);
  }

  /// Returns a copy with another number of cores.
  public LocalModelOptions withThreads(int count) {
    return new LocalModelOptions(contextTokens, maxTokens, count, restarts, startLimit);
  }

  /// Returns a copy with another limit of crashes in a row.
  public LocalModelOptions withRestarts(int count) {
    return new LocalModelOptions(contextTokens, maxTokens, threads, count, startLimit);
  }

  private static void atLeast(String name, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + ", was " + value);
    }
  }
}
