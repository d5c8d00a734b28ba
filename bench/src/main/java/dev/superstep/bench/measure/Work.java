package dev.superstep.bench.measure;

/// Something that a node can do which takes time on a processor and nothing else.
public final class Work {
  private static final int ROUNDS = 40_000;
  private static final long FACTOR = 6_364_136_223_846_793_005L;

  private Work() {}

  /// Some 40 microseconds of arithmetic; the same answer for the same question.
  public static long on(long question) {
    long answer = question;
    for (int i = 0; i < ROUNDS; i++) answer = answer * FACTOR + i;
    return answer;
  }
}
