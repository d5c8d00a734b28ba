package dev.superstep.language.check;

import dev.superstep.language.Severity;
import dev.superstep.language.blueprint.Provenance;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.NodeKind;
import dev.superstep.language.rag.SyntaxLimits;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/// The rules of a host for the sources that it reads. Immutable; methods return a changed copy.
///
/// @param provenance where sources come from
/// @param limits the bounds within which they are read
/// @param allowed the names that they may use, by kind; a kind that is absent is not narrowed
/// @param kinds the kinds of nodes that they may have
/// @param needsReview whether a generated source needs an approval
/// @param approved the hashes of blueprints that somebody approved
/// @param deadEnds the severity of nodes that nothing leads to, or from which no path leads to END:
///   an error or a warning, and always an error in a generated source
public record CheckPolicy(
    Provenance provenance,
    SyntaxLimits limits,
    Map<Capability, Set<String>> allowed,
    Set<NodeKind> kinds,
    boolean needsReview,
    Set<String> approved,
    Severity deadEnds) {
  public CheckPolicy {
    if (deadEnds == Severity.NOTE) {
      throw new IllegalArgumentException("deadEnds must be an error or a warning");
    }
    if (provenance.isGenerated()) deadEnds = Severity.ERROR;
    allowed = Map.copyOf(allowed);
    kinds = Set.copyOf(kinds);
    approved = Set.copyOf(approved);
  }

  /// The rules for a file that a person wrote: nothing is narrowed.
  public static CheckPolicy file(String path) {
    return new CheckPolicy(
        Provenance.file(path),
        SyntaxLimits.WRITTEN,
        Map.of(),
        EnumSet.allOf(NodeKind.class),
        false,
        Set.of(),
        Severity.ERROR);
  }

  /// The rules for a source that a model wrote: lower bounds, and a review.
  ///
  /// @param by the name of the model or agent
  public static CheckPolicy generated(String by) {
    return new CheckPolicy(
        Provenance.generated(by),
        SyntaxLimits.GENERATED,
        Map.of(),
        EnumSet.allOf(NodeKind.class),
        true,
        Set.of(),
        Severity.ERROR);
  }

  /// Returns a copy with other bounds.
  public CheckPolicy limits(SyntaxLimits bounds) {
    return new CheckPolicy(provenance, bounds, allowed, kinds, needsReview, approved, deadEnds);
  }

  /// Returns a copy that allows only these names of the kinds that are given.
  public CheckPolicy allowing(Map<Capability, Set<String>> names) {
    return new CheckPolicy(provenance, limits, names, kinds, needsReview, approved, deadEnds);
  }

  /// Returns a copy that allows only these kinds of nodes.
  public CheckPolicy kinds(Set<NodeKind> only) {
    return new CheckPolicy(provenance, limits, allowed, only, needsReview, approved, deadEnds);
  }

  /// Returns a copy in which these blueprints are approved. The host knows that from its own
  /// records, never from a source.
  public CheckPolicy approving(Set<String> hashes) {
    return new CheckPolicy(provenance, limits, allowed, kinds, needsReview, hashes, deadEnds);
  }

  /// Returns a copy that asks for no review, for a caller that has another gate.
  public CheckPolicy withoutReview() {
    return new CheckPolicy(provenance, limits, allowed, kinds, false, approved, deadEnds);
  }

  /// Returns a copy in which nodes that nothing leads to, or from which no path leads to END, are
  /// warnings: for drafts. Such a graph runs without the nodes that nothing leads to. One that can
  /// never end is still refused when it is bound. A generated source has errors in any case.
  public CheckPolicy warningOfDeadEnds() {
    return new CheckPolicy(
        provenance, limits, allowed, kinds, needsReview, approved, Severity.WARNING);
  }

  /// Returns a copy for sources that a run made.
  ///
  /// @param when by the clock of that run
  public CheckPolicy madeBy(String run, Instant when) {
    return new CheckPolicy(
        provenance.madeBy(run, when), limits, allowed, kinds, needsReview, approved, deadEnds);
  }

  /// Returns a copy for sources whose provenance was stored.
  public CheckPolicy from(Provenance stored) {
    return new CheckPolicy(stored, limits, allowed, kinds, needsReview, approved, deadEnds);
  }

  public boolean isGenerated() {
    return provenance.isGenerated();
  }
}
