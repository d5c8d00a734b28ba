package dev.superstep.terminal;

import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.policy.Confinement;
import dev.superstep.terminal.risk.RiskAssessor;
import dev.superstep.terminal.risk.RiskContext;
import dev.superstep.terminal.shell.ShellScript;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/// A review with the real assessor and three simple rules: texts that are allowed, texts that are
/// denied, and a question about everything else.
final class Rules implements CommandReview {
  final Set<String> allowed = new ConcurrentSkipListSet<>();
  final Set<String> denied = new ConcurrentSkipListSet<>();
  final Set<String> phrases = new ConcurrentSkipListSet<>();
  volatile String version = "1";
  volatile Tier tier = Tier.PROCESS;

  @Override
  public Review review(ShellScript script, Circumstances at) {
    var context = RiskContext.of(at.workspace(), at.directory(), at.home());
    var risk = RiskAssessor.standard().assess(script, context).with(at.marks());
    var text = script.source().text();
    boolean isAllowed = allowed.contains(text) && at.followed().isEmpty();
    var verdict =
        denied.contains(text) ? Verdict.DENY : isAllowed ? Verdict.ALLOW : Verdict.CONFIRM;
    var phrase = phrases.contains(text) ? Optional.of("yes, run it") : Optional.<String>empty();
    var used = new Confinement(at.stricter().orElse(tier), false, false);
    var reasons = List.of(verdict == Verdict.DENY ? "A rule denies it." : "No rule allows it.");
    return new Review(verdict, risk, reasons, used, phrase, version + allowed);
  }

  @Override
  public void allow(String rule, String scope) {
    allowed.add(rule);
  }
}
