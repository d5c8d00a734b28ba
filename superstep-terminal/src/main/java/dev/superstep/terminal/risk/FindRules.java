package dev.superstep.terminal.risk;

import dev.superstep.terminal.shell.MappedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Judges `find`: where it looks, what restricts it, and what it does with what it finds. One
/// thread at a time.
final class FindRules {
  private static final Set<String> TESTS =
      Set.of(
          "-name",
          "-iname",
          "-path",
          "-ipath",
          "-wholename",
          "-iwholename",
          "-regex",
          "-iregex",
          "-lname",
          "-ilname",
          "-newer",
          "-anewer",
          "-cnewer",
          "-mtime",
          "-mmin",
          "-atime",
          "-amin",
          "-ctime",
          "-cmin",
          "-size",
          "-user",
          "-group",
          "-uid",
          "-gid",
          "-perm",
          "-inum",
          "-samefile",
          "-links",
          "-used",
          "-fstype");
  private static final Set<String> BARE_TESTS = Set.of("-empty", "-nouser", "-nogroup", "-xtype");
  private static final Set<String> RUNNING = Set.of("-exec", "-execdir", "-ok", "-okdir");
  private static final Set<String> WRITING = Set.of("-fprint", "-fprint0", "-fls", "-fprintf");

  private final ScriptWalker walker;
  private final FileRules files;
  private final Report report;
  private final ProgramRules programs;

  FindRules(ScriptWalker walker, FileRules files, Report report, ProgramRules programs) {
    this.walker = walker;
    this.files = files;
    this.report = report;
    this.programs = programs;
  }

  PipeData judge(Call call) {
    var words = call.arguments();
    int at = 0;
    while (at < words.size() && words.get(at).value().matches("-[HLP]|-O\\d|-D")) at++;
    var roots = new ArrayList<ResolvedWord>();
    while (at < words.size() && !words.get(at).value().matches("(?s)[-(!,].*|\\)")) {
      roots.add(words.get(at++));
    }
    if (roots.isEmpty()) roots.add(ResolvedWord.of(".", call.program().span()));
    var expression = words.subList(at, words.size());
    boolean isRestricted = isRestricted(expression);
    for (var root : roots) files.list(root, walker.state(), true);
    actions(call, expression, roots, isRestricted);
    return isRestricted ? PipeData.UNKNOWN : PipeData.ALL_FILES;
  }

  /// Returns whether a test narrows what the actions get: in each alternative that acts, and not
  /// only by what it leaves out.
  private static boolean isRestricted(List<ResolvedWord> words) {
    boolean acts = words.stream().anyMatch(word -> isAction(word.value()));
    int depth = 0;
    int from = 0;
    for (int i = 0; i <= words.size(); i++) {
      var word = i < words.size() ? words.get(i).value() : "-o";
      if (word.equals("(")) depth++;
      if (word.equals(")")) depth--;
      if (depth > 0 && i < words.size()) continue;
      if (!word.equals("-o") && !word.equals("-or") && !word.equals(",")) continue;
      var branch = words.subList(from, i);
      boolean counts = !acts || branch.stream().anyMatch(each -> isAction(each.value()));
      if (counts && !isNarrowed(branch)) return false;
      from = i + 1;
    }
    return true;
  }

  private static boolean isAction(String word) {
    return word.equals("-delete") || RUNNING.contains(word);
  }

  private static boolean isNarrowed(List<ResolvedWord> words) {
    for (int i = 0; i < words.size(); i++) {
      var test = words.get(i).value();
      if (isAction(test)) return false;
      boolean isAll =
          i + 1 < words.size() && words.get(i + 1).value().matches("\\*|\\*\\.\\*|\\.\\*|");
      boolean isNegated = i > 0 && words.get(i - 1).value().matches("!|-not");
      if (isNegated && test.matches("-i?(name|path|regex)|-i?wholename")) continue;
      if (BARE_TESTS.contains(test)) return true;
      if ((TESTS.contains(test) || test.startsWith("-newer")) && !isAll) return true;
    }
    return false;
  }

  private void actions(
      Call call, List<ResolvedWord> words, List<ResolvedWord> roots, boolean isRestricted) {
    for (int i = 0; i < words.size(); i++) {
      var action = words.get(i);
      if (action.is("-delete")) {
        report.medium(RiskAxis.DESTROYS, "deletes-files", action.span(), "Deletes what it finds.");
        deletion(action, roots, isRestricted);
      } else if (WRITING.contains(action.value()) && i + 1 < words.size()) {
        files.write(words.get(i + 1), walker.state(), true);
      } else if (RUNNING.contains(action.value())) {
        int end = i + 1;
        while (end < words.size() && !words.get(end).value().matches("[;+]")) end++;
        run(call, words.subList(i + 1, end), roots, isRestricted);
        i = end;
      }
    }
  }

  private void deletion(ResolvedWord action, List<ResolvedWord> roots, boolean isRestricted) {
    for (var root : roots) {
      report.fact(Fact.Kind.DELETES, root.value(), root.span());
      var place = files.place(root, walker.state());
      if (isRestricted) {
        if (place.isWiping() || place.isSystem()) {
          report.high(
              RiskAxis.DESTROYS, "deletes-system", root.span(), "Deletes files of the system.");
        } else if (place.isOutside()) {
          report.medium(
              RiskAxis.OUTSIDE_WORKSPACE,
              "deletes-outside",
              root.span(),
              "Deletes files outside the workspace.");
        }
      } else {
        files.delete(root, action, walker.state(), true);
      }
    }
  }

  private void run(
      Call call, List<ResolvedWord> command, List<ResolvedWord> roots, boolean isRestricted) {
    if (command.isEmpty()) return;
    var inner = call.inner(command, false);
    if (programs.isDeleter(inner.name())) deletion(command.getFirst(), roots, isRestricted);
    for (var root : roots.subList(0, Math.min(4, roots.size()))) {
      var words = new ArrayList<ResolvedWord>();
      for (var word : command) words.add(word.is("{}") ? found(root, word, isRestricted) : word);
      programs.judge(new Call(words, inner.wrappers(), PipeData.NONE, false));
    }
  }

  // What is found without a restriction includes the root itself.
  private static ResolvedWord found(ResolvedWord root, ResolvedWord mark, boolean isRestricted) {
    var text = MappedText.of(root.value(), mark.span());
    if (isRestricted) {
      text = text.append(MappedText.of("/" + ResolvedWord.UNKNOWN, mark.span()));
    }
    return new ResolvedWord(text, root.isPattern(), mark.span());
  }
}
