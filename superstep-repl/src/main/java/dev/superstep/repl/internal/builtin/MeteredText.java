package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.internal.value.Meter;

/// A text that counts how often it is looked at, so that a long search can be ended.
final class MeteredText implements CharSequence {
  private static final int EVERY = 1_024;

  private final Meter m;
  private final String text;
  private final long weight;
  private int looks;

  /// @param weight operations for 1,024 looks
  MeteredText(Meter m, String text, long weight) {
    this.m = m;
    this.text = text;
    this.weight = weight;
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public char charAt(int index) {
    if (++looks == EVERY) {
      looks = 0;
      m.tick(weight);
    }
    return text.charAt(index);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.substring(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
