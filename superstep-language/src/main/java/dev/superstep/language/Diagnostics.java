package dev.superstep.language;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/// Collects the findings about one source; equal ones are shown once. However many come, it keeps a
/// bounded number of them and counts the rest. One thread at a time.
public final class Diagnostics {
  /// The number of findings that are shown unless a caller wants another.
  public static final int SHOWN_MAX = 50;

  private static final int KEPT_MAX = 1_000;
  private static final Comparator<Diagnostic> ORDER =
      Comparator.comparingInt((Diagnostic d) -> d.span().start())
          .thenComparing(Diagnostic::severity)
          .thenComparing(Diagnostic::code)
          .thenComparing(Diagnostic::message);

  private final List<Diagnostic> kept = new ArrayList<>();
  private long found;
  private long errors;

  /// Nothing is found yet.
  public Diagnostics() {}

  /// Adds a finding.
  public void add(Diagnostic diagnostic) {
    found++;
    if (diagnostic.isError()) errors++;
    if (kept.size() < KEPT_MAX) kept.add(diagnostic);
    else if (diagnostic.isError() && errors <= SHOWN_MAX) replaceMilder(diagnostic);
  }

  /// An error is never lost to warnings that came before it.
  private void replaceMilder(Diagnostic error) {
    for (int i = kept.size() - 1; i >= 0; i--) {
      if (kept.get(i).isError()) continue;
      kept.set(i, error);
      return;
    }
  }

  public boolean hasErrors() {
    return errors > 0;
  }

  /// The number of findings so far, also of those that were not kept.
  public long count() {
    return found;
  }

  /// The report of what was found, with at most [#SHOWN_MAX] findings.
  public Report report() {
    return report(SHOWN_MAX);
  }

  /// The report of what was found. If not everything fits, errors come before warnings and notes.
  public Report report(int most) {
    var shown = new ArrayList<>(new LinkedHashSet<>(kept));
    long same = (long) kept.size() - shown.size();
    if (shown.size() > most) {
      shown.sort(Comparator.comparing(Diagnostic::severity).thenComparing(ORDER));
      shown.subList(most, shown.size()).clear();
    }
    shown.sort(ORDER);
    return new Report(shown, errors, found - same - shown.size());
  }

  /// Findings in the order of the source.
  ///
  /// @param errors the number of errors, also of those left out
  /// @param omitted the number of findings that were left out
  public record Report(List<Diagnostic> shown, long errors, long omitted) {
    public Report {
      shown = List.copyOf(shown);
    }

    public boolean hasErrors() {
      return errors > 0;
    }
  }

  @Override
  public String toString() {
    return "Diagnostics[%d found, %d errors]".formatted(found, errors);
  }
}
