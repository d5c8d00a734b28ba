package dev.superstep.terminal;

import dev.superstep.language.CodePoints;
import dev.superstep.language.Span;
import dev.superstep.terminal.internal.form.CommandForm.Candidate;
import dev.superstep.terminal.privacy.InjectionFilter;
import dev.superstep.terminal.privacy.InjectionSignal;
import dev.superstep.terminal.risk.Finding;
import dev.superstep.terminal.risk.RiskAxis;
import dev.superstep.terminal.risk.RiskLevel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Marks texts of models that may lead a person astray, before they are shown. A mark warns and
/// makes a command high; it never makes anything allowed.
final class ModelMarks {
  private static final int QUOTED_MAX = 60;
  private static final int FINDINGS_MAX = 20;

  private ModelMarks() {}

  /// The marks of a command that a model proposed and of what it said about it.
  ///
  /// @param step as the plan has it
  /// @param prose the explanation that a person asked for, or empty
  static List<Finding> of(Candidate candidate, String step, String prose) {
    var command = candidate.command();
    var findings = new LinkedHashSet<Finding>();
    for (var signal : InjectionFilter.standard().scan(command)) {
      // What is unseen or imitates letters in a command is a finding of its own.
      boolean isKnown =
          signal.kind() == InjectionSignal.Kind.UNSEEN
              || signal.kind() == InjectionSignal.Kind.LOOKALIKE;
      if (!isKnown) findings.add(finding(signal, signal.span(), "The command", command));
    }
    var whole = new Span(0, command.length());
    prose(candidate.explanation(), "The model's explanation", whole, findings);
    prose(prose, "The model's longer explanation", whole, findings);
    prose(step, "The step of the plan", whole, findings);
    return findings.stream().limit(FINDINGS_MAX).toList();
  }

  private static void prose(String text, String what, Span span, Set<Finding> to) {
    var shown = evenSpaces(text);
    for (var signal : InjectionFilter.standard().scan(shown)) {
      to.add(finding(signal, span, what, shown));
    }
  }

  /// Warnings about the lines of a plan, or of a question with its options.
  static List<String> warnings(List<String> texts) {
    var warnings = new ArrayList<String>();
    for (var text : texts) {
      var shown = evenSpaces(text);
      for (var signal : InjectionFilter.standard().scan(shown)) {
        var warning = sentence(signal, "The model's text", shown);
        if (!warnings.contains(warning) && warnings.size() < FINDINGS_MAX) warnings.add(warning);
      }
    }
    return warnings;
  }

  /// Models write spaces of typography, which hide nothing in prose.
  private static String evenSpaces(String text) {
    return text.replace('\u00a0', ' ').replace('\u202f', ' ').replace('\u2009', ' ');
  }

  private static Finding finding(InjectionSignal signal, Span span, String what, String text) {
    var code = "model-" + signal.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
    return new Finding(
        RiskAxis.INFLUENCE, RiskLevel.HIGH, code, span, sentence(signal, what, text));
  }

  private static String sentence(InjectionSignal signal, String what, String text) {
    var part = text.substring(signal.span().start(), signal.span().end());
    return "%s has %s: `%s`."
        .formatted(what, signal.reason(), CodePoints.quote(part.strip(), QUOTED_MAX));
  }
}
