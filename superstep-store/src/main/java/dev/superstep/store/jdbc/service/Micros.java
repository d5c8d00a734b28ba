package dev.superstep.store.jdbc.service;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// Times as numbers: microseconds since 1970.
final class Micros {
  private Micros() {}

  /// Times that no number has become the earliest or the latest one.
  static long of(Instant time) {
    try {
      return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    } catch (ArithmeticException _) {
      return time.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  static Instant time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
