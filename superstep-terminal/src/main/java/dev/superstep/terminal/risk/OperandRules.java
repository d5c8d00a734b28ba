package dev.superstep.terminal.risk;

import dev.superstep.language.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Judges the operands and options of a program by the roles that the table gives them. One thread
/// at a time.
final class OperandRules {
  private static final Pattern SETUID = Pattern.compile("[ugoa,]*\\+[rwx]*s.*|0?[2467][0-7]{3}");
  private static final Pattern WORLD =
      Pattern.compile("0?[0-7]?[0-7][0-7][2367]|[ugo]*[oa][ugo]*[+=][rx]*w.*|\\+w[x]*");
  private static final int MODE_MAX = 64;
  private static final Set<String> PASSING =
      Set.of("cat", "tee", "sort", "grep", "tr", "awk", "cut", "sed", "uniq");

  private final ScriptWalker walker;
  private final FileRules files;
  private final Report report;
  private final ProgramRules programs;
  private final FindRules finds;
  private final GitRules gits;
  private final NetworkRules networks;
  private final CodeOperands codes;
  private final SystemRules systems;

  OperandRules(ScriptWalker walker, FileRules files, Report report, ProgramRules programs) {
    this.walker = walker;
    this.files = files;
    this.report = report;
    this.programs = programs;
    this.finds = new FindRules(walker, files, report, programs);
    this.gits = new GitRules(walker, report, programs);
    this.networks = new NetworkRules(walker, files, report);
    this.codes = new CodeOperands(walker, files, report);
    this.systems = new SystemRules(walker, files, report, programs);
  }

  /// The arguments of a call, with those of old forms made regular, as `tar xf`.
  List<ResolvedWord> normal(Program program, Call call) {
    var words = call.arguments();
    boolean isOldTar =
        program.operands().equals("tar")
            && !words.isEmpty()
            && words.getFirst().value().matches("[a-zA-Z]+");
    if (!isOldTar) return words;
    var all = new ArrayList<ResolvedWord>();
    all.add(ResolvedWord.of("-" + words.getFirst().value(), words.getFirst().span()));
    all.addAll(words.subList(1, words.size()));
    return all;
  }

  /// Judges an option by its role.
  void option(Call call, Arguments.Given given) {
    var value = given.value();
    if (value == null) {
      if (given.option().role().equals("inplace")) inPlace(given.word());
      return;
    }
    switch (given.option().role()) {
      case "read" -> files.read(value, state());
      case "write" -> files.write(value, state(), false);
      case "delete" -> files.delete(value, value, state(), false);
      case "run" -> walker.text(value.text(), PipeData.UNKNOWN, value.span());
      case "script" -> script(value);
      case "inplace" -> inPlace(given.word());
      case "action" -> action(value);
      case "mode" -> setsUid(value, value.span());
      case "code", "sql" -> codes.sql(value, given.option().role().equals("code"));
      case "gitconfig" -> gits.setting(value, given.word());
      case "upload", "form", "url", "host", "sshoption" ->
          networks.option(given.option().role(), value);
      case "dockervolume" -> volume(value);
      case "pkgoption" -> {
        if (value.value().matches("(?i).*(invoke|command|run|script|hook|Pre-|Post-).*")) {
          runsCommand(value);
        }
      }
      default -> {}
    }
    if (given.option().name().equals("-P") && call.name().equals("man")) runsCommand(value);
  }

  private void runsCommand(ResolvedWord value) {
    report.high(RiskAxis.OPAQUE, "runs-command", value.span(), "An option that runs a command.");
  }

  private void inPlace(ResolvedWord word) {
    report.medium(
        RiskAxis.OVERWRITES, "edits-in-place", word.span(), "Changes the files that it reads.");
  }

  private void script(ResolvedWord file) {
    report.fact(Fact.Kind.RUNS_FILE, file.value(), file.span());
    report.medium(
        RiskAxis.OPAQUE, Report.UNKNOWN_PROGRAM, file.span(), "Runs the commands of a file.");
  }

  // `--checkpoint-action=exec=sh x.sh`
  private void action(ResolvedWord value) {
    if (!value.value().startsWith("exec=")) return;
    runsCommand(value);
    walker.text(value.from(5).text(), PipeData.UNKNOWN, value.span());
  }

  private void volume(ResolvedWord value) {
    var source = value.value().replaceFirst("^.*source=|^.*src=", "");
    var host = source.split(":", 2)[0];
    var place = files.place(ResolvedWord.of(host, value.span()), state());
    boolean isOpen = place.isWiping() || host.contains("docker.sock") || place.isSystem();
    if (host.startsWith("/") && isOpen) {
      report.high(
          RiskAxis.PRIVILEGE,
          "mounts-system",
          value.span(),
          "Gives a container files of the system.");
    }
  }

  private ShellState state() {
    return walker.state();
  }

  /// Judges the operands by their role, and says what the program writes to its output.
  PipeData judge(Call call, Program program, Arguments arguments) {
    var words = arguments.operands();
    var state = state();
    switch (program.operands()) {
      case "read" -> words.forEach(word -> files.read(word, state));
      case "list" -> {
        boolean isDeep =
            arguments.has("-R", "--recursive") || Set.of("du", "tree").contains(call.name());
        words.forEach(word -> files.list(word, state, isDeep));
        if (Lists.isOpen(call)) return PipeData.ALL_FILES;
      }
      case "pattern" -> {
        boolean hasPattern = arguments.has("-e", "-f");
        from(words, hasPattern ? 0 : 1).forEach(word -> files.read(word, state));
      }
      case "write" ->
          words.forEach(word -> {
            files.write(word, state, call.name().equals("truncate"));
            if (call.name().equals("truncate")) files.empty(word, state);
          });
      case "tee" -> words.forEach(word -> files.write(word, state, !arguments.has("-a")));
      case "delete" -> deletion(call, arguments);
      case "copy", "link" -> copy(call, arguments);
      case "copy-second" -> {
        if (!words.isEmpty()) files.read(words.getFirst(), state);
        if (words.size() > 1) files.write(words.get(1), state, true);
      }
      case "move" -> move(call, arguments);
      case "mode" -> mode(call, arguments);
      case "edit" -> from(words, 0).forEach(word -> files.write(word, state, false));
      case "script" -> {
        if (!words.isEmpty()) script(words.getFirst());
      }
      default -> {
        return actions(call, program, arguments);
      }
    }
    return output(call);
  }

  private PipeData actions(Call call, Program program, Arguments arguments) {
    var words = arguments.operands();
    switch (program.operands()) {
      case "run" -> {
        if (!words.isEmpty()) return programs.judge(call.inner(words, true));
      }
      case "pack", "value", "none" -> values(call, program, arguments);
      case "sub" -> {
        var output = programs.subcommand(call, program.name(), words);
        if (output != null) return output;
      }
      case "find" -> {
        return finds.judge(call);
      }
      default -> {
        return others(call, program, arguments);
      }
    }
    return output(call);
  }

  private PipeData others(Call call, Program program, Arguments arguments) {
    var role = program.operands();
    if (systems.judge(call, program, arguments)) return output(call);
    if (role.startsWith("git")) return gits.judge(call, program, arguments);
    if (codes.isCode(role)) {
      codes.judge(call, role, arguments);
      return output(call);
    }
    return networks.judge(call, role, arguments);
  }

  private PipeData output(Call call) {
    var text = EchoedText.of(call.words());
    if (text != null) return PipeData.of(text);
    if (Lists.isOpen(call)) return PipeData.ALL_FILES;
    var input = call.input().text();
    if (input != null) {
      var decoded = EchoedText.decode(call.name(), call.arguments(), input);
      if (decoded != null) return PipeData.of(decoded);
    }
    boolean passes = PASSING.contains(call.name());
    boolean isAll = call.input().kind() == PipeData.Kind.ALL_FILES && !isNarrowing(call);
    if (passes && (isAll || call.input().kind() == PipeData.Kind.NETWORK)) return call.input();
    return PipeData.UNKNOWN;
  }

  // What `grep -v` leaves is still everything but a little.
  private static boolean isNarrowing(Call call) {
    if (!call.name().equals("grep")) return false;
    return call.arguments().stream()
        .noneMatch(word -> word.value().matches("-[a-zA-Z]*v[a-zA-Z]*|--invert-match"));
  }

  private static List<ResolvedWord> from(List<ResolvedWord> words, int index) {
    return words.subList(Math.min(index, words.size()), words.size());
  }

  private void deletion(Call call, Arguments arguments) {
    boolean isRecursive =
        arguments.has("-r", "-R", "--recursive")
            && !Set.of("rmdir", "unlink").contains(call.name());
    boolean isMaybe = arguments.isUncertain() && arguments.operands().size() > 1;
    for (var word : arguments.operands()) {
      boolean isWiping = isMaybe && files.place(word, state()).isWiping();
      files.delete(word, call.program(), state(), isRecursive || isWiping);
      if (files.isDisk(word, state())) files.write(word, state(), true);
    }
    if (arguments.operands().isEmpty()) {
      files.delete(null, call.program(), state(), isRecursive && call.input().isPiped());
    }
  }

  private void copy(Call call, Arguments arguments) {
    var words = arguments.operands();
    boolean hasTarget = arguments.has("-t") || words.size() < 2 || arguments.has("-d");
    var sources = hasTarget ? words : words.subList(0, words.size() - 1);
    boolean isLink = call.name().equals("ln");
    for (var word : sources) {
      if (isLink) report.fact(Fact.Kind.READS, word.value(), word.span());
      else files.read(word, state());
    }
    if (!hasTarget) files.write(words.getLast(), state(), true);
    boolean empties =
        sources.stream().anyMatch(word -> word.value().matches("/dev/(null|zero|urandom)"));
    if (empties) {
      report.high(
          RiskAxis.OVERWRITES,
          "empties-file",
          call.span(),
          "Replaces a file by nothing or by noise.");
    }
    if (isLink && words.size() == 1) files.write(words.getFirst(), state(), false);
  }

  private void move(Call call, Arguments arguments) {
    var words = arguments.operands();
    boolean hasTarget = arguments.has("-t");
    var sources = hasTarget || words.isEmpty() ? words : words.subList(0, words.size() - 1);
    for (var word : sources) {
      report.fact(Fact.Kind.READS, word.value(), word.span());
      var place = files.place(word, state());
      if (place.isWiping() || place.isSystem()) {
        report.high(
            RiskAxis.DESTROYS,
            "moves-system",
            word.span(),
            "Moves away files of the system or a home.");
      } else if (SensitivePaths.isSecret(place.path())) {
        report.high(RiskAxis.READS_SECRET, "moves-secret", word.span(), "Moves keys or passwords.");
      } else if (place.isOutside()) {
        report.medium(
            RiskAxis.OUTSIDE_WORKSPACE,
            "moves-outside",
            word.span(),
            "Moves files outside the workspace.");
      }
    }
    if (hasTarget || words.size() < 2) return;
    var target = words.getLast();
    if (target.value().startsWith("/dev/")) {
      report.high(
          RiskAxis.DESTROYS,
          "moves-to-device",
          call.span(),
          "Moves files to where nothing is kept.");
    }
    files.write(target, state(), true);
  }

  private void mode(Call call, Arguments arguments) {
    var words = arguments.operands();
    boolean isMode = call.name().equals("chmod") || call.name().equals("gchmod");
    var value =
        words.isEmpty() || words.getFirst().text().length() > MODE_MAX
            ? ""
            : words.getFirst().value();
    // `chmod -x file` looks like an option.
    boolean isOptionLike =
        isMode && call.arguments().stream().anyMatch(w -> w.value().matches("-[rwxst]+"));
    boolean isRecursive = arguments.has("-R");
    if (isMode && setsUid(ResolvedWord.of(value, call.span()), call.span())) {
      // Said.
    } else if (isMode && WORLD.matcher(value).matches()) {
      var level = isRecursive ? RiskLevel.HIGH : RiskLevel.MEDIUM;
      report.add(
          new Finding(
              RiskAxis.PRIVILEGE,
              level,
              "opens-to-all",
              call.span(),
              "Lets everybody change files."));
    } else if (isMode && value.matches("0?00?0?|a?-rwx|[ugoa]*=")) {
      report.medium(
          RiskAxis.SYSTEM, "locks-files", call.span(), "Lets nobody read or change files.");
    }
    boolean needsMode = !isOptionLike && !arguments.has("--reference", "-m", "-x", "-b");
    for (var word : from(words, needsMode ? 1 : 0)) {
      files.write(word, state(), false);
      var place = files.place(word, state());
      if (isRecursive && (place.isWiping() || place.isSystem())) {
        report.high(
            RiskAxis.DESTROYS,
            "changes-system-rights",
            word.span(),
            "Changes the rights of the system or of a home directory.");
      }
    }
    if (call.name().equals("chattr") && words.stream().anyMatch(w -> w.value().contains("+i"))) {
      report.medium(RiskAxis.SYSTEM, "locks-files", call.span(), "Makes files unchangeable.");
    }
  }

  private boolean setsUid(ResolvedWord mode, Span span) {
    if (mode.text().length() > MODE_MAX || !SETUID.matcher(mode.value()).matches()) return false;
    report.high(
        RiskAxis.PRIVILEGE, "sets-uid", span, "Lets a file run with the rights of its owner.");
    return true;
  }

  private void values(Call call, Program program, Arguments arguments) {
    var name = call.name();
    if (name.equals("dd")) raw(call);
    if (program.danger().level() == RiskLevel.LOW) return;
    if (!arguments.operands().isEmpty() && arguments.operands().getFirst().is("publish")) {
      report.high(RiskAxis.NETWORK_OUT, "publishes", call.span(), "Publishes code of the project.");
    }
    for (var word : arguments.operands()) {
      if (!word.value().startsWith("/dev/")) continue;
      report.fact(Fact.Kind.WRITES, word.value(), word.span());
      if (files.isDisk(word, state()) && program.danger().axis() == RiskAxis.DESTROYS) {
        files.write(word, state(), true);
      }
    }
    if (Set.of("fdisk", "parted", "sfdisk", "gdisk").contains(name) && arguments.has("-l")) return;
  }

  private void raw(Call call) {
    for (var word : call.arguments()) {
      if (word.value().startsWith("of=")) files.write(word.from(3), state(), true);
      if (!word.value().startsWith("if=")) continue;
      var from = word.from(3);
      files.read(from, state());
      if (from.value().startsWith("/dev/") || !from.isKnown()) {
        report.high(
            RiskAxis.OVERWRITES,
            "raw-device-copy",
            word.span(),
            "Copies raw data of a device over something else.");
      }
    }
  }
}
