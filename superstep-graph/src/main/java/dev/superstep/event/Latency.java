package dev.superstep.event;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Durations, counted in fixed buckets. Immutable.
///
/// @param count how many were counted
/// @param total of all of them
/// @param longest of all of them; zero if there is none
/// @param buckets by how long they took, shortest first, each with those that took longer than the
///   bucket before allows; what took longer than all of them is in none
public record Latency(long count, Duration total, Duration longest, List<Bucket> buckets) {
  /// The number of durations of at most this length.
  public record Bucket(Duration atMost, long count) {}

  /// The limits of the buckets.
  private static final List<Duration> LIMITS = limits();

  private static List<Duration> limits() {
    var micros = LongStream.of(50, 100, 200, 500).mapToObj(n -> Duration.ofNanos(n * 1_000));
    var millis = LongStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500).mapToObj(Duration::ofMillis);
    var seconds = LongStream.of(1, 2, 5, 10, 30, 60, 300, 900).mapToObj(Duration::ofSeconds);
    return Stream.of(micros, millis, seconds).flatMap(each -> each).toList();
  }

  public Latency {
    buckets = List.copyOf(buckets);
  }

  /// Nothing counted.
  public static Latency none() {
    return new Count().latency();
  }

  /// Returns a copy with one more duration counted.
  public Latency plus(Duration took) {
    var count = new Count(this);
    count.add(took);
    return count.latency();
  }

  /// The average; zero if nothing was counted.
  public Duration mean() {
    return count == 0 ? Duration.ZERO : total.dividedBy(count);
  }

  /// Returns a time within which at least this share of all ended: the limit of a bucket, or the
  /// longest time if no bucket fits. Zero if nothing was counted.
  ///
  /// @param share from 0 to 1, such as 0.95
  public Duration within(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share must be from 0 to 1, was " + share);
    }
    double needed = share * count;
    long seen = 0;
    for (var bucket : buckets) {
      seen += bucket.count();
      if (seen > 0 && seen >= needed) {
        return bucket.atMost().compareTo(longest) < 0 ? bucket.atMost() : longest;
      }
    }
    return longest;
  }

  /// A count in progress. One thread at a time.
  static final class Count {
    private final long[] counts = new long[LIMITS.size()];
    private long count;
    private Duration total = Duration.ZERO;
    private Duration longest = Duration.ZERO;

    Count() {}

    Count(Latency before) {
      count = before.count;
      total = before.total;
      longest = before.longest;
      for (int i = 0; i < counts.length; i++) {
        for (var b : before.buckets) if (b.atMost().equals(LIMITS.get(i))) counts[i] = b.count();
      }
    }

    void add(Duration took) {
      // Two clocks of one run may differ.
      var time = took.isNegative() ? Duration.ZERO : took;
      count++;
      total = total.plus(time);
      if (time.compareTo(longest) > 0) longest = time;
      for (int i = 0; i < counts.length; i++) {
        if (time.compareTo(LIMITS.get(i)) > 0) continue;
        counts[i]++;
        return;
      }
    }

    Latency latency() {
      var buckets = new ArrayList<Bucket>(counts.length);
      for (int i = 0; i < counts.length; i++) buckets.add(new Bucket(LIMITS.get(i), counts[i]));
      return new Latency(count, total, longest, buckets);
    }
  }
}
