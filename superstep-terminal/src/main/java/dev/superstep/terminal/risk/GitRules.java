package dev.superstep.terminal.risk;

import dev.superstep.language.Span;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Judges `git`: settings that run programs, and commands that lose commits. One thread at a time.
final class GitRules {
  private static final Pattern RUNNING_KEY =
      Pattern.compile(
          "core\\.(pager|editor|sshcommand|hookspath|fsmonitor|askpass|gitproxy|alternaterefscommand"
              + "|attributesfile|worktree)"
              + "|alias\\..*|pager\\..*|credential\\..*|diff\\.(external|.*\\.(command|textconv))"
              + "|difftool\\..*|mergetool\\..*|merge\\..*\\.driver|filter\\..*|gpg\\..*|sequence\\.editor"
              + "|include(if)?\\..*|init\\.templatedir|protocol\\..*allow|uploadpack\\..*|remote\\..*"
              + "|url\\..*|http\\.proxy|sendemail\\..*|browser\\..*|man\\..*|interactive\\.difffilter"
              + "|submodule\\..*update|receive\\..*|web\\.browser|instaweb\\..*|trailer\\..*|ssh\\.variant");

  private final ScriptWalker walker;
  private final Report report;
  private final ProgramRules programs;

  GitRules(ScriptWalker walker, Report report, ProgramRules programs) {
    this.walker = walker;
    this.report = report;
    this.programs = programs;
  }

  /// `-c key=value`
  void setting(ResolvedWord value, ResolvedWord option) {
    int equals = value.value().indexOf('=');
    var key = equals < 0 ? value.value() : value.value().substring(0, equals);
    running(key, equals < 0 ? value : value.from(equals + 1), option, RiskAxis.OPAQUE);
  }

  private void running(String key, ResolvedWord value, ResolvedWord place, RiskAxis axis) {
    var name = key.toLowerCase(Locale.ROOT);
    if (name.indexOf(ResolvedWord.UNKNOWN) < 0 && !RUNNING_KEY.matcher(name).matches()) return;
    boolean isPager = name.contains("pager") || name.equals("core.editor");
    if (isPager && value.value().matches("|cat|less( -[A-Za-z]+)*|more|false|vim?|nano|emacs"))
      return;
    boolean isPlainAlias = name.startsWith("alias.") && !value.value().startsWith("!");
    if (isPlainAlias || name.startsWith("remote.") || name.startsWith("url.")) {
      report.medium(axis, "git-setting", value.span(), "Changes what a git command stands for.");
      return;
    }
    report.high(
        axis, "git-runs-program", place.span().to(value.span()), "Makes git run a program.");
    if (value.value().startsWith("!")) {
      walker.text(value.from(1).text(), PipeData.UNKNOWN, value.span());
    }
  }

  PipeData judge(Call call, Program program, Arguments arguments) {
    var words = arguments.operands();
    var output = PipeData.UNKNOWN;
    switch (program.operands()) {
      case "git" -> {
        var inner = subcommand(call, program, words);
        if (inner != null) output = inner;
      }
      case "gitconfigset" -> configuration(words, arguments);
      case "gitpush" -> push(call, words);
      case "gitreset" -> reset(call, words);
      case "gitread" -> read(call, words);
      default -> {}
    }
    for (var word : words) {
      if (word.value().startsWith("ext::")) {
        report.high(
            RiskAxis.OPAQUE, "runs-command", word.span(), "An address that runs a command.");
      }
    }
    return program.operands().equals("gitread") && listsAll(call, words)
        ? PipeData.ALL_FILES
        : output;
  }

  // `git ls-files`, `git branch`, `git tag`: all of them, unless a pattern or an option restricts.
  private static boolean listsAll(Call call, List<ResolvedWord> operands) {
    if (!Set.of("ls-files", "branch", "tag", "for-each-ref", "remote")
        .contains(call.program().value())) {
      return false;
    }
    boolean isRestricted =
        call.arguments().stream()
            .anyMatch(word ->
                word.value()
                    .matches(
                        "-[omdiu]+|--(others|modified|deleted|ignored|unmerged|killed|merged"
                            + "|contains|points-at|list).*"));
    return operands.isEmpty() && !isRestricted;
  }

  private @Nullable PipeData subcommand(Call call, Program program, List<ResolvedWord> words) {
    if (words.isEmpty()) return null;
    var output = programs.subcommand(call, program.name(), words);
    if (output != null) return output;
    report.medium(
        RiskAxis.OPAQUE,
        Report.UNKNOWN_PROGRAM,
        words.getFirst().span(),
        "The effects of this git command are not known.");
    return null;
  }

  private void configuration(List<ResolvedWord> words, Arguments arguments) {
    if (words.size() >= 2) {
      running(words.getFirst().value(), words.get(1), words.getFirst(), RiskAxis.PERSISTENCE);
    }
    if (arguments.has("--system")) {
      report.medium(
          RiskAxis.PERSISTENCE,
          "git-setting",
          words.isEmpty() ? BEGIN : words.getFirst().span(),
          "Changes settings of all users.");
    }
  }

  private static final Span BEGIN = Span.BEGINNING;

  private void push(Call call, List<ResolvedWord> words) {
    report.fact(
        Fact.Kind.CONNECTS, words.isEmpty() ? "origin" : words.getFirst().value(), call.span());
    for (var word : words.subList(Math.min(1, words.size()), words.size())) {
      if (!word.value().startsWith("+") && !word.value().startsWith(":")) continue;
      report.high(
          RiskAxis.DESTROYS,
          "force-push",
          word.span(),
          "Overwrites or deletes a branch of others.");
    }
  }

  private void reset(Call call, List<ResolvedWord> words) {
    boolean isAll = words.stream().anyMatch(word -> Set.of(".", "*", ":/").contains(word.value()));
    if (isAll && !call.program().is("reset")) {
      report.high(
          RiskAxis.DESTROYS, "drops-changes", call.span(), "Drops changes that are not committed.");
    }
  }

  private void read(Call call, List<ResolvedWord> words) {
    var first = words.isEmpty() ? "" : words.getFirst().value();
    var command = call.program().value();
    boolean drops = command.equals("stash") && Set.of("drop", "clear").contains(first);
    drops |= command.equals("reflog") && Set.of("expire", "delete").contains(first);
    if (drops) {
      report.high(RiskAxis.DESTROYS, "drops-commits", call.span(), "Drops commits for good.");
    }
    boolean changes =
        Set.of("add", "set-url", "remove", "rm", "prune", "pop", "move", "apply", "run")
                .contains(first)
            && Set.of("remote", "worktree", "bisect", "stash", "notes").contains(command);
    if (changes) {
      report.low(
          RiskAxis.OVERWRITES, "git-state", call.span(), "Changes the state of the repository.");
    }
    if (command.equals("bisect") && first.equals("run") && words.size() > 1) {
      programs.judge(call.inner(words.subList(1, words.size()), true));
    }
  }
}
