package dev.superstep.server.internal.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// Counts requests for each client, by buckets of tokens that refill. Keeps the clients that asked
/// last. Safe for many threads.
final class RateLimits {
  private static final int CLIENTS_MAX = 10_000;
  private static final long SECOND = 1_000_000_000L;

  private final double perNano;
  private final double burst;
  private final LongSupplier nanoTime;
  private final Map<String, Bucket> buckets;

  private static final class Bucket {
    double tokens;
    long at;
  }

  RateLimits(int perSecond, int burst, LongSupplier nanoTime) {
    this.perNano = perSecond / (double) SECOND;
    this.burst = burst;
    this.nanoTime = nanoTime;
    this.buckets =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > CLIENTS_MAX;
          }
        };
  }

  /// Counts a request.
  ///
  /// @return 0 if it may be answered, else the seconds after which one may
  synchronized long secondsToWait(String client) {
    long now = nanoTime.getAsLong();
    var bucket = buckets.get(client);
    if (bucket == null) {
      bucket = new Bucket();
      bucket.tokens = burst;
      bucket.at = now;
      buckets.put(client, bucket);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.at) * perNano);
    bucket.at = now;
    if (bucket.tokens >= 1) {
      bucket.tokens--;
      return 0;
    }
    return Math.max(1, (long) Math.ceil((1 - bucket.tokens) / perNano / SECOND));
  }
}
