package dev.superstep.middleware;

import java.time.Duration;

/// Checks of what middleware is set to.
final class SettingChecks {
  private SettingChecks() {}

  static int atLeast(int least, String setting, int value) {
    if (value >= least) return value;
    throw new IllegalArgumentException(setting + " must be at least " + least + ", was " + value);
  }

  static Duration positive(String setting, Duration time) {
    if (time.isPositive()) return time;
    throw new IllegalArgumentException(setting + " must be positive, was " + time);
  }

  static String notBlank(String setting, String text) {
    if (!text.isBlank()) return text;
    throw new IllegalArgumentException(setting + " must not be blank");
  }
}
