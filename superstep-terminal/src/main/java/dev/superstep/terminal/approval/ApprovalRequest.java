package dev.superstep.terminal.approval;

import dev.superstep.terminal.policy.Confinement;
import dev.superstep.terminal.risk.Fact;
import dev.superstep.terminal.risk.Finding;
import dev.superstep.terminal.risk.RiskLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A command that waits for a decision, with all that a person needs to decide. What the parser
/// found and what the model says are apart: rules and risk never read a model's text. Stored.
///
/// @param step the place of the step in the plan, from 0
/// @param command as it will run
/// @param explanation the model's words for it, when it proposed it
/// @param prose the model's explanation, if a person asked for one
/// @param level of danger
/// @param findings why it is dangerous
/// @param facts what it would do
/// @param reasons why the rules ask
/// @param confinement how it would be confined
/// @param directory where it would run
/// @param lasting what no undo takes back; sentences
/// @param followsUntrusted the steps, from 1, whose output the model had seen
/// @param phrase what must be typed to approve it, if one key is not enough
/// @param changed what has changed since an approval that did not hold
/// @param alternatives how many other commands are there or can still be asked for
/// @param digest of all that decides what it does
public record ApprovalRequest(
    int step,
    String command,
    String explanation,
    Optional<String> prose,
    RiskLevel level,
    List<Finding> findings,
    List<Fact> facts,
    List<String> reasons,
    Confinement confinement,
    String directory,
    List<String> lasting,
    List<Integer> followsUntrusted,
    Optional<String> phrase,
    List<String> changed,
    int alternatives,
    ApprovalDigest digest) {
  public ApprovalRequest {
    findings = List.copyOf(findings);
    facts = List.copyOf(facts);
    reasons = List.copyOf(reasons);
    lasting = List.copyOf(lasting);
    followsUntrusted = List.copyOf(followsUntrusted);
    changed = List.copyOf(changed);
  }

  /// The sentence that says whose output came before, as `follows output of step 3`.
  public Optional<String> provenance() {
    if (followsUntrusted.isEmpty()) return Optional.empty();
    var steps = followsUntrusted.stream().map(String::valueOf).toList();
    var word = steps.size() == 1 ? "step " : "steps ";
    return Optional.of("follows output of " + word + String.join(", ", steps));
  }

  /// Returns a copy with the model's explanation.
  public ApprovalRequest explained(String text) {
    return with(Optional.of(text), reasons);
  }

  /// Returns a copy with one more reason.
  public ApprovalRequest noting(String reason) {
    var all = new ArrayList<>(reasons);
    if (!all.contains(reason)) all.add(reason);
    return with(prose, all);
  }

  private ApprovalRequest with(Optional<String> prose, List<String> reasons) {
    return new ApprovalRequest(
        step,
        command,
        explanation,
        prose,
        level,
        findings,
        facts,
        reasons,
        confinement,
        directory,
        lasting,
        followsUntrusted,
        phrase,
        changed,
        alternatives,
        digest);
  }

  /// The parts of the digest, by name.
  public Map<String, String> parts() {
    return digest.parts();
  }
}
