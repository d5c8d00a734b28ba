package dev.superstep.bench.measure;

/// The messages of a conversation, the same for every system.
public final class Messages {
  private static final String FILLING = "x".repeat(1_015);

  private Messages() {}

  /// A message of 1 KiB that no other number has.
  public static String of(int number) {
    var digits = Integer.toString(number);
    return "0".repeat(8 - digits.length()) + digits + ":" + FILLING;
  }
}
