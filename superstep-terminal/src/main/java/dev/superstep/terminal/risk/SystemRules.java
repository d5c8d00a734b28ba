package dev.superstep.terminal.risk;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Judges programs that change the machine and not single files: processes, services, packages,
/// containers, the network. One thread at a time.
final class SystemRules {
  private static final Set<String> QUERIES =
      Set.of(
          "list",
          "show",
          "search",
          "info",
          "policy",
          "freeze",
          "check",
          "help",
          "version",
          "outdated",
          "deps",
          "leaves",
          "config",
          "home",
          "doctor",
          "view",
          "ls",
          "depends",
          "rdepends",
          "madison",
          "why",
          "provides",
          "whatprovides",
          "repolist",
          "--version",
          "--help",
          "environment",
          "env");
  private static final Set<String> REMOVALS =
      Set.of(
          "remove",
          "purge",
          "erase",
          "autoremove",
          "uninstall",
          "delete",
          "del",
          "autoclean",
          "rm",
          "unlink",
          "prune",
          "autopurge");
  private static final Pattern CLOUD_DELETION =
      Pattern.compile(
          "rm|rb|rb|mb|.*(delete|destroy|terminate|remove|purge|drop|deprovision|wipe).*");

  private static final Pattern ANY_NAME = Pattern.compile("[.^$*+?()|\\\\\\[\\]]*|.");
  // Their `-e`, `-r` and `-P` remove; those of others name files and indexes.
  private static final Set<String> REMOVING_BY_OPTION =
      Set.of("rpm", "dpkg", "pacman", "nix-env", "apt", "apt-get", "xbps-install", "pkg", "emerge");

  private final ScriptWalker walker;
  private final FileRules files;
  private final Report report;
  private final ProgramRules programs;

  SystemRules(ScriptWalker walker, FileRules files, Report report, ProgramRules programs) {
    this.walker = walker;
    this.files = files;
    this.report = report;
    this.programs = programs;
  }

  /// Judges a call; returns whether the role of its operands is one of those here.
  boolean judge(Call call, Program program, Arguments arguments) {
    var words = arguments.operands();
    switch (program.operands()) {
      case "processes" -> processes(call);
      case "kill" -> kill(call);
      case "killall" -> killall(call, words);
      case "crontab" -> crontab(call, words);
      case "packages" -> packages(call, program, arguments);
      case "prune" -> prune(call, words);
      case "cloud" -> cloud(call, words);
      case "containers" -> removal(call, arguments);
      case "service" -> service(call, words);
      case "netconf" -> network(call, words);
      case "capture" -> capture(call, program, arguments);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void processes(Call call) {
    if (call.arguments().stream().noneMatch(w -> w.value().matches("-?[a-zA-Z]*[aeA][a-zA-Z]*")))
      return;
    report.medium(
        RiskAxis.SYSTEM,
        "lists-processes",
        call.span(),
        "Lists the processes of all users with their arguments.");
  }

  private void service(Call call, List<ResolvedWord> words) {
    if (words.stream().anyMatch(word -> word.value().matches("stop|disable|--del"))) {
      report.high(RiskAxis.SYSTEM, "stops-services", call.span(), "Stops or disables services.");
    }
  }

  private void kill(Call call) {
    var words = call.arguments();
    if (words.stream().anyMatch(word -> word.value().matches("-l|-L|-0|--list"))) return;
    for (int i = 0; i < words.size(); i++) {
      boolean isSignal = i == 0 && words.size() > 1;
      if (words.get(i).is("1") || (words.get(i).is("-1") && !isSignal)) {
        report.high(RiskAxis.SYSTEM, "stops-everything", call.span(), "Stops all processes.");
      }
    }
  }

  private void crontab(Call call, List<ResolvedWord> words) {
    boolean isSet = !words.isEmpty() || call.input().isPiped();
    if (call.arguments().stream().anyMatch(w -> w.value().matches("-[a-z]*[ler]"))) return;
    if (!isSet) return;
    report.high(RiskAxis.PERSISTENCE, "schedules", call.span(), "Changes what runs at set times.");
  }

  /// A pattern that every name has, such as `.`.
  private void killall(Call call, List<ResolvedWord> words) {
    boolean isAny =
        words.stream().anyMatch(word -> word.isKnown() && ANY_NAME.matcher(word.value()).matches());
    boolean isInverted = call.arguments().stream().anyMatch(word -> word.is("--inverse"));
    if (!isAny && !isInverted) return;
    report.high(RiskAxis.SYSTEM, "stops-everything", call.span(), "Stops processes of every name.");
  }

  private void network(Call call, List<ResolvedWord> words) {
    boolean cuts = words.stream().anyMatch(word -> word.value().matches("down|flush|off"));
    boolean changes =
        words.stream().anyMatch(word -> word.value().matches("del|delete|add|set|replace|up"));
    if (cuts) {
      report.high(RiskAxis.SYSTEM, "cuts-network", call.span(), "Takes the network down.");
    } else if (changes) {
      report.medium(
          RiskAxis.SYSTEM, "changes-network", call.span(), "Changes settings of the network.");
    }
  }

  private void capture(Call call, Program program, Arguments arguments) {
    // A file that was recorded before is read like any other.
    if (arguments.has("-r")) return;
    var span = call.program().span();
    programs.danger(program.danger(), span, "`" + program.name() + "`", "");
  }

  private void packages(Call call, Program program, Arguments arguments) {
    var words = arguments.operands();
    var action = words.isEmpty() ? "" : words.getFirst().value();
    var options = call.arguments().stream().map(ResolvedWord::value).toList();
    boolean isQuery =
        QUERIES.contains(action)
            || options.stream()
                .anyMatch(
                    o -> o.matches("--version|--help|-[lLqsSpV]|-q[a-zA-Z]*|-Q[a-z]*|-S?s|--list"));
    if (isQuery) return;
    var span = call.program().span();
    programs.danger(program.danger(), span, "`" + program.name() + "`", "");
    boolean removes =
        REMOVALS.contains(action)
            || (REMOVING_BY_OPTION.contains(program.name())
                && options.stream()
                    .anyMatch(o -> o.matches("-[erPR][a-z]*|--purge|--remove|--erase")));
    if (!removes) return;
    boolean isBase =
        words.stream()
            .anyMatch(w ->
                w.value()
                    .matches(
                        "(lib(c6|c-bin)|bash|dpkg|apt|systemd|sudo|linux-.*|kernel.*|coreutils|python3?|glibc|init)"));
    boolean isAll =
        words.stream()
            .anyMatch(word -> word.isPattern() || word.value().contains("*") || !word.isKnown());
    // `pip uninstall -r <(pip freeze)`
    isAll |=
        arguments.values("-r").stream()
            .anyMatch(word -> word.value().matches("-|/dev/(fd/|stdin).*"));
    var level = isBase || isAll ? RiskLevel.HIGH : RiskLevel.MEDIUM;
    report.add(
        new Finding(
            RiskAxis.DESTROYS, level, "removes-packages", call.span(), "Removes programs."));
  }

  private void removal(Call call, Arguments arguments) {
    boolean isOpen = arguments.operands().stream().anyMatch(word -> !word.isKnown());
    if (!arguments.has("-f", "--force") || !isOpen) return;
    report.high(
        RiskAxis.DESTROYS,
        "removes-containers",
        call.span(),
        "Removes containers that are not named in the command.");
  }

  private void prune(Call call, List<ResolvedWord> words) {
    boolean deletes = words.stream().anyMatch(word -> word.value().matches("prune|rm|remove"));
    if (deletes) {
      report.high(
          RiskAxis.DESTROYS, "deletes-container-data", call.span(), "Deletes data of containers.");
    }
  }

  private void cloud(Call call, List<ResolvedWord> words) {
    report.fact(Fact.Kind.CONNECTS, call.name(), call.program().span());
    var verbs =
        words.stream().limit(3).filter(word -> CLOUD_DELETION.matcher(word.value()).matches());
    var found = verbs.filter(word -> !word.is("mb")).findFirst();
    if (found.isPresent()) {
      report.high(
          RiskAxis.DESTROYS, "deletes-remote", found.get().span(), "Deletes things of a service.");
    }
    for (var word : words) {
      if (word.value().startsWith("/") || word.value().startsWith("~")) files.read(word, state());
    }
  }

  private ShellState state() {
    return walker.state();
  }
}
