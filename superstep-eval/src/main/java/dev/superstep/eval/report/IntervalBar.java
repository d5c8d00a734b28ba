package dev.superstep.eval.report;

import dev.superstep.eval.stats.Interval;
import java.util.Locale;

/// Draws an interval as a bar of SVG.
final class IntervalBar {
  private static final int WIDTH = 160;
  private static final int HEIGHT = 14;

  private IntervalBar() {}

  /// A bar on an axis from one value to another.
  static String svg(Interval interval, double from, double to) {
    if (Double.isNaN(interval.estimate())) return "";
    double low = at(interval.low(), from, to);
    double high = at(interval.high(), from, to);
    double middle = at(interval.estimate(), from, to);
    return String.format(
        Locale.ROOT,
        "<svg class=\"bar\" width=\"%d\" height=\"%d\" role=\"img\" aria-hidden=\"true\">"
            + "<rect class=\"axis\" x=\"0\" y=\"6\" width=\"%d\" height=\"2\"/>%s"
            + "<rect class=\"range\" x=\"%.1f\" y=\"4\" width=\"%.1f\" height=\"6\"/>"
            + "<circle class=\"dot\" cx=\"%.1f\" cy=\"7\" r=\"4\"/></svg>",
        WIDTH,
        HEIGHT,
        WIDTH,
        from < 0 ? zero(from, to) : "",
        low,
        Math.max(1, high - low),
        Math.clamp(middle, 4, WIDTH - 4));
  }

  private static String zero(double from, double to) {
    return String.format(
        Locale.ROOT,
        "<rect class=\"axis\" x=\"%.1f\" y=\"0\" width=\"1\" height=\"14\"/>",
        at(0, from, to));
  }

  private static double at(double value, double from, double to) {
    return Math.clamp((value - from) / (to - from), 0.0, 1.0) * WIDTH;
  }
}
