package dev.superstep.terminal.policy;

import dev.superstep.terminal.risk.Assessment;
import dev.superstep.terminal.risk.Fact;
import dev.superstep.terminal.risk.RiskAxis;
import dev.superstep.terminal.risk.RiskLevel;
import dev.superstep.terminal.shell.ShellScript;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// An answer to "always allow this": a rule to look at first, or why there is none. Immutable.
public sealed interface RuleProposal {
  /// A rule that would allow the command from now on.
  ///
  /// @param toml to be shown, and added to a file of rules
  /// @param alsoMatches some earlier commands that it would have allowed as well, without this one
  record Offered(CommandRule rule, String toml, List<String> alsoMatches) implements RuleProposal {
    public Offered {
      alsoMatches = List.copyOf(alsoMatches);
    }
  }

  /// There is no rule to be had.
  record NotOffered(String reason) implements RuleProposal {}

  /// The most commands that are shown beside a rule.
  int SHOWN_MAX = 3;

  /// Proposes a rule for a command.
  ///
  /// @param history earlier commands
  static RuleProposal of(ShellScript script, Assessment risk, Scope scope, List<String> history) {
    var command = CommandParts.of(script);
    if (scope == Scope.PROJECT) return new NotOffered("The rules of a project cannot allow.");
    if (!command.obstacles().isEmpty()) return new NotOffered(command.obstacles().getFirst());
    if (command.parts().size() != 1) {
      return new NotOffered("It is more than one program; approve each alone.");
    }
    var part = command.parts().getFirst();
    var reason = ProposalLimits.refusal(part, risk);
    if (!reason.isEmpty()) return new NotOffered(reason);
    var rule = rule(part, scope);
    if (!RuleExamples.matches(rule, script)) {
      return new NotOffered("A rule would have to allow more than this command is known to do.");
    }
    var also = new LinkedHashSet<String>();
    for (var earlier : history) {
      if (also.size() == SHOWN_MAX) break;
      if (earlier.equals(script.source().text())) continue;
      if (RuleExamples.matches(rule, ShellScript.parse(earlier))) also.add(earlier);
    }
    return new Offered(rule, RuleText.of(rule, script.source().text()), List.copyOf(also));
  }

  private static CommandRule rule(CommandPart part, Scope scope) {
    var words = new ArrayList<Set<String>>();
    var options = new LinkedHashSet<String>();
    words.add(Set.of(part.words().getFirst().text()));
    boolean isPrefix = true;
    boolean hasOperands = false;
    for (var argument : part.words().subList(1, part.words().size())) {
      var word = argument.text();
      boolean isName = word.matches("[a-z][a-z0-9-]{1,30}") && words.size() < 3;
      if (word.startsWith("-") && word.length() > 1) {
        isPrefix = false;
        int is = word.indexOf('=');
        options.add(is < 0 ? word : word.substring(0, is + 1));
      } else if (isPrefix && isName && argument.isExact()) {
        words.add(Set.of(word));
      } else {
        isPrefix = false;
        hasOperands = true;
      }
    }
    var operands = hasOperands ? CommandPattern.Operands.WORKSPACE : CommandPattern.Operands.NONE;
    var pattern = new CommandPattern(words, options, Set.of(), operands, Set.of());
    var origin = new CommandRule.Origin(scope, "proposal", 1);
    return new CommandRule(pattern, RuleEffect.ALLOW, "Always allowed by a person", null, origin);
  }

  /// What is never allowed for good.
  final class ProposalLimits {
    private static final Set<String> INSTALLERS =
        Set.of(
            ("apt apt-get dpkg dnf yum rpm apk pacman zypper brew snap flatpak nix pip pip3 pipx uv"
                    + " poetry conda mamba npm npx pnpm yarn bunx gem bundle cargo go composer"
                    + " cpan luarocks opam cabal stack nuget dotnet mvn gradle sdk asdf mise"
                    + " helm terraform")
                .split(" "));
    private static final Set<String> INSTALLS =
        Set.of(
            "install",
            "add",
            "i",
            "ci",
            "update",
            "upgrade",
            "get",
            "exec",
            "dlx",
            "x",
            "run",
            "sync",
            "build-dep",
            "dist-upgrade",
            "apply",
            "create",
            "init");

    private ProposalLimits() {}

    static String refusal(CommandPart part, Assessment risk) {
      var program = part.program().orElse("");
      if (program.isEmpty()) return "Its first word is known to the shell only.";
      if (EscapingOptions.isRunner(program)) return "`" + program + "` runs other programs.";
      if (EscapingOptions.isInterpreter(program)) {
        return "`" + program + "` is an interpreter, and runs whatever a file has by then.";
      }
      if (risk.level().isAtLeast(RiskLevel.HIGH)) return "Its danger is high.";
      if (risk.has(RiskAxis.PRIVILEGE)) return "It changes rights.";
      boolean installs =
          INSTALLERS.contains(program)
              && part.words().stream().anyMatch(word -> INSTALLS.contains(word.text()));
      if (installs || program.equals("npx") || program.equals("bunx")) {
        return "It installs or runs packages, whose content changes.";
      }
      boolean connects =
          risk.has(RiskAxis.NETWORK_OUT) || !risk.values(Fact.Kind.CONNECTS).isEmpty();
      if (connects && risk.has(RiskAxis.READS_SECRET)) {
        return "It reads secrets and uses the network.";
      }
      return "";
    }
  }
}
