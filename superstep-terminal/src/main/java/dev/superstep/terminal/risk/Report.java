package dev.superstep.terminal.risk;

import dev.superstep.language.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Collects what an assessment finds, each thing once. One thread at a time.
final class Report {
  static final String UNKNOWN_PROGRAM = "unknown-program";
  static final String INLINE_CODE = "inline-code";
  private static final int ENTRIES_MAX = 500;

  private static final Comparator<Span> BY_PLACE =
      Comparator.comparingInt(Span::start).thenComparingInt(Span::end);

  private RiskLevel worst = RiskLevel.LOW;
  private boolean isTooMuch;
  private final Set<Finding> findings = new LinkedHashSet<>();
  private final Set<Fact> facts = new LinkedHashSet<>();
  private final Set<Invocation> invocations = new LinkedHashSet<>();

  void low(RiskAxis axis, String code, Span span, String reason) {
    add(new Finding(axis, RiskLevel.LOW, code, span, reason));
  }

  void medium(RiskAxis axis, String code, Span span, String reason) {
    add(new Finding(axis, RiskLevel.MEDIUM, code, span, reason));
  }

  void high(RiskAxis axis, String code, Span span, String reason) {
    add(new Finding(axis, RiskLevel.HIGH, code, span, reason));
  }

  void forbidden(RiskAxis axis, String code, Span span, String reason) {
    add(new Finding(axis, RiskLevel.FORBIDDEN, code, span, reason));
  }

  @SuppressWarnings("EnumOrdinal") // levels rise in their order
  void add(Finding finding) {
    // The worst is never dropped, however long the list.
    worst = worst.max(finding.level());
    int most = ENTRIES_MAX * (1 + finding.level().ordinal());
    if (findings.size() < most) findings.add(finding);
  }

  /// The number of findings about a kind of harm, from medium up.
  int count(RiskAxis axis) {
    return (int)
        findings.stream()
            .filter(f -> f.axis() == axis && f.level().isAtLeast(RiskLevel.MEDIUM))
            .count();
  }

  void fact(Fact.Kind kind, String value, Span span) {
    if (facts.size() < ENTRIES_MAX) facts.add(new Fact(kind, shown(value), span));
    else tooMuch(span);
  }

  void invocation(Invocation invocation) {
    if (invocations.size() < ENTRIES_MAX) invocations.add(invocation);
    else tooMuch(invocation.span());
  }

  void tooMuch(Span span) {
    if (isTooMuch) return;
    isTooMuch = true;
    high(RiskAxis.OPAQUE, "too-much", span, "The command does more than can be listed.");
  }

  /// A value in which the parts that are not known are marked.
  static String shown(String value) {
    return value.replace(String.valueOf(ResolvedWord.UNKNOWN), "…");
  }

  Assessment assessment() {
    var all = new ArrayList<>(findings);
    all.sort(Comparator.comparing(Finding::span, BY_PLACE));
    var known = new ArrayList<>(facts);
    known.sort(Comparator.comparing(Fact::span, BY_PLACE).thenComparing(Fact::kind));
    return new Assessment(level(all).max(worst), all, known, List.copyOf(invocations));
  }

  private static RiskLevel level(List<Finding> findings) {
    var level = RiskLevel.LOW;
    for (var finding : findings) level = level.max(finding.level());
    boolean isHidden = findings.stream().anyMatch(Report::hides);
    boolean isMarked =
        findings.stream()
            .anyMatch(f -> f.axis() != RiskAxis.OPAQUE && f.level().isAtLeast(RiskLevel.MEDIUM));
    boolean leaks = has(findings, RiskAxis.READS_SECRET) && has(findings, RiskAxis.NETWORK_OUT);
    boolean destroysAsRoot = has(findings, RiskAxis.PRIVILEGE) && has(findings, RiskAxis.DESTROYS);
    return (isHidden && isMarked) || leaks || destroysAsRoot ? level.raised() : level;
  }

  private static boolean hides(Finding finding) {
    return finding.axis() == RiskAxis.OPAQUE
        && finding.level().isAtLeast(RiskLevel.MEDIUM)
        && !finding.code().equals(UNKNOWN_PROGRAM)
        && (finding.level().isAtLeast(RiskLevel.HIGH) || !finding.code().equals(INLINE_CODE));
  }

  private static boolean has(List<Finding> findings, RiskAxis axis) {
    return findings.stream()
        .anyMatch(f -> f.axis() == axis && f.level().isAtLeast(RiskLevel.MEDIUM));
  }
}
