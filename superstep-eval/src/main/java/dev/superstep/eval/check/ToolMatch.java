package dev.superstep.eval.check;

import dev.superstep.eval.dataset.ExpectedCall;
import dev.superstep.eval.dataset.JsonValues;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;

/// The ways to compare the tool calls of a trial with expected ones. An expected call without
/// arguments fits any call of its tool; one with arguments fits a call whose arguments have at
/// least these fields with equal values.
public enum ToolMatch {
  /// Exactly these calls, in their order.
  EXACT,
  /// The expected calls in their order, with others between them.
  IN_ORDER,
  /// The expected calls in any order, and no others.
  ANY_ORDER,
  /// The expected calls in any order, and perhaps others.
  AT_LEAST,
  /// No calls but expected ones, each at most as often as expected.
  SUBSET,
  /// None of the expected calls.
  NONE_OF;

  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /// Compares calls.
  Verdict verdict(List<CalledTool> calls, List<ExpectedCall> expected) {
    boolean fits =
        switch (this) {
          case EXACT -> calls.size() == expected.size() && isPrefix(calls, expected);
          case IN_ORDER -> isInOrder(calls, expected);
          case ANY_ORDER ->
              calls.size() == expected.size() && matched(calls, expected) == expected.size();
          case AT_LEAST -> matched(calls, expected) == expected.size();
          case SUBSET -> matched(calls, expected) == calls.size();
          case NONE_OF -> calls.stream().noneMatch(call -> fitsAny(call, expected));
        };
    return Verdict.when(
        fits, "expected " + title() + " " + expected + ", was " + Checks.shown(calls.toString()));
  }

  private static boolean isPrefix(List<CalledTool> calls, List<ExpectedCall> expected) {
    for (int i = 0; i < calls.size(); i++) {
      if (!fits(calls.get(i), expected.get(i))) return false;
    }
    return true;
  }

  private static boolean isInOrder(List<CalledTool> calls, List<ExpectedCall> expected) {
    var left = new ArrayDeque<>(expected);
    for (var call : calls) {
      if (!left.isEmpty() && fits(call, left.getFirst())) left.removeFirst();
    }
    return left.isEmpty();
  }

  private static boolean fitsAny(CalledTool call, List<ExpectedCall> expected) {
    return expected.stream().anyMatch(one -> fits(call, one));
  }

  private static int matched(List<CalledTool> calls, List<ExpectedCall> expected) {
    return new CallPairing<>(calls, expected, ToolMatch::fits).pairs();
  }

  private static boolean fits(CalledTool call, ExpectedCall expected) {
    if (!call.tool().equals(expected.tool())) return false;
    if (expected.arguments().isEmpty()) return true;
    return call.arguments().isPresent()
        && JsonValues.contains(call.arguments().get(), expected.arguments().get());
  }
}
