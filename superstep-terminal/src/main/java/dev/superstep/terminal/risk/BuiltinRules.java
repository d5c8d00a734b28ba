package dev.superstep.terminal.risk;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// Judges the builtins of the shell that change its state. One thread at a time.
final class BuiltinRules {
  private static final Set<String> DECLARING =
      Set.of("export", "declare", "typeset", "local", "readonly");

  private final ScriptWalker walker;
  private final Report report;
  private final ProgramRules programs;

  BuiltinRules(ScriptWalker walker, Report report, ProgramRules programs) {
    this.walker = walker;
    this.report = report;
    this.programs = programs;
  }

  /// Judges a builtin; returns whether the call is one of those here.
  boolean judge(Call call) {
    var name = call.program().value();
    if (DECLARING.contains(name)) {
      declare(call);
      return true;
    }
    switch (name) {
      case "cd", "pushd", "chdir" -> directory(call);
      case "alias" -> aliases(call);
      case "unalias" -> call.arguments().forEach(word -> state().aliases.remove(word.value()));
      case "set" -> positional(call);
      case "unset" -> unset(call);
      case "read", "mapfile", "readarray", "getopts" -> reads(call);
      case "trap" -> trap(call);
      case "source", "." -> source(call);
      case "history" -> history(call);
      case "printenv" -> environment(call);
      case "enable", "hash" -> loads(call);
      default -> {
        return false;
      }
    }
    return true;
  }

  private ShellState state() {
    return walker.state();
  }

  private void declare(Call call) {
    for (var word : call.arguments()) {
      int equals = word.value().indexOf('=');
      if (!Wrappers.isAssignment(word)) continue;
      var name = word.value().substring(0, equals);
      var value = word.from(equals + 1);
      programs.environment(name, value, word.span());
      state().variables.put(name, value);
    }
    boolean shows = call.arguments().isEmpty() || call.arguments().getFirst().is("-p");
    if (shows && !call.name().equals("local")) environment(call);
  }

  private void directory(Call call) {
    var targets = call.arguments().stream().filter(word -> !isOption(word)).toList();
    var state = state();
    if (targets.isEmpty()) {
      var home = state.variables.get("HOME");
      state.directory = home == null || !home.isKnown() ? null : home.value();
      return;
    }
    var target = targets.getFirst();
    report.fact(Fact.Kind.CHANGES_DIRECTORY, target.value(), target.span());
    boolean isKnown = target.isKnown() && !target.isPattern() && !target.is("-");
    var before = state.directory;
    if (!isKnown || (before == null && !target.value().startsWith("/"))) {
      state.directory = null;
      state.variables.remove("PWD");
      return;
    }
    state.directory =
        target.value().startsWith("/") ? target.value() : before + "/" + target.value();
    state.set("PWD", state.directory);
  }

  private static boolean isOption(ResolvedWord word) {
    return word.value().length() > 1 && word.value().startsWith("-");
  }

  private void aliases(Call call) {
    for (var word : call.arguments()) {
      int equals = word.value().indexOf('=');
      if (equals <= 0) continue;
      var name = word.value().substring(0, equals);
      var value = word.from(equals + 1);
      var body = walker.state();
      body.aliases.remove(name);
      // What the alias runs counts now, since nothing may be asked when it is used.
      walker.text(value.text(), PipeData.NONE, word.span());
      state().aliases.put(name, value);
      if (value.value().matches("(sudo )?(rm|shred|dd|mkfs)\\b.*") && !name.matches("rm|del.*")) {
        report.high(
            RiskAxis.DESTROYS,
            "renames-deletion",
            word.span(),
            "Makes a harmless name delete or overwrite files.");
      }
      if (ProgramTable.standard().contains(name) && !value.value().startsWith(name)) {
        report.medium(
            RiskAxis.OPAQUE,
            "renames-program",
            word.span(),
            "Gives the name of a known program to something else.");
      }
    }
  }

  private void positional(Call call) {
    var arguments = call.arguments();
    int from = arguments.isEmpty() || !arguments.getFirst().is("--") ? -1 : 1;
    if (arguments.isEmpty()) environment(call);
    if (from < 0) return;
    var values = arguments.subList(from, arguments.size());
    for (int i = 0; i < Math.min(9, values.size()); i++) {
      state().variables.put(String.valueOf(i + 1), values.get(i));
    }
    if (values.isEmpty()) return;
    var all = new ResolvedWord(EchoedText.joined(values, call.span()), false, call.span());
    for (var name : List.of("@", "*")) state().variables.put(name, all);
  }

  private void unset(Call call) {
    for (var word : call.arguments()) {
      state().variables.remove(word.value());
      state().functions.remove(word.value());
      if (word.value().startsWith("HIST")) hides(call);
    }
  }

  private void hides(Call call) {
    report.high(
        RiskAxis.SYSTEM, "hides-traces", call.span(), "Removes the record of what was done.");
  }

  private void reads(Call call) {
    for (var word : call.arguments()) {
      if (!isOption(word)) state().variables.put(word.value(), ResolvedWord.unknown(word.span()));
    }
  }

  private void trap(Call call) {
    var words = call.arguments().stream().filter(word -> !isOption(word)).toList();
    if (words.size() < 2 || words.getFirst().value().isEmpty()) return;
    walker.text(words.getFirst().text(), PipeData.NONE, words.getFirst().span());
  }

  private void source(Call call) {
    if (call.arguments().isEmpty()) return;
    var file = call.arguments().getFirst();
    report.fact(Fact.Kind.RUNS_FILE, file.value(), file.span());
    boolean isMade = file.value().startsWith("/dev/");
    if (isMade || !file.isKnown()) {
      report.high(
          RiskAxis.OPAQUE,
          "computed-script",
          file.span(),
          "Runs shell text that is made when it runs.");
    } else {
      report.medium(
          RiskAxis.OPAQUE, Report.UNKNOWN_PROGRAM, file.span(), "Runs the commands of a file.");
    }
  }

  private void history(Call call) {
    var clearing = Map.of("-c", true, "-d", true, "-cw", true);
    if (call.arguments().stream().anyMatch(word -> clearing.containsKey(word.value()))) hides(call);
  }

  private void environment(Call call) {
    report.medium(
        RiskAxis.READS_SECRET,
        "shows-environment",
        call.span(),
        "Shows variables, which may hold secrets.");
  }

  private void loads(Call call) {
    if (call.arguments().stream().anyMatch(word -> word.value().matches("-[a-z]*[fp]"))) {
      report.high(
          RiskAxis.OPAQUE, "loads-builtin", call.span(), "Makes a builtin of something else.");
    }
  }
}
