package dev.superstep.terminal.risk;

import dev.superstep.language.Span;
import dev.superstep.terminal.risk.Program.Danger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Judges one program with its arguments: finds the program behind wrappers, and looks it up. One
/// thread at a time.
final class ProgramRules {
  private static final Set<String> HIJACKING =
      Set.of(
          "LD_PRELOAD",
          "LD_AUDIT",
          "BASH_ENV",
          "ENV",
          "PROMPT_COMMAND",
          "PERL5OPT",
          "PERL5DB",
          "RUBYOPT",
          "NODE_OPTIONS",
          "PYTHONSTARTUP",
          "GIT_SSH_COMMAND",
          "GIT_SSH",
          "GIT_PAGER",
          "GIT_EDITOR",
          "GIT_EXTERNAL_DIFF",
          "GIT_PROXY_COMMAND",
          "GIT_ASKPASS",
          "SSH_ASKPASS",
          "LESSOPEN",
          "LESSCLOSE",
          "PAGER",
          "MANPAGER",
          "BROWSER",
          "DYLD_INSERT_LIBRARIES",
          "SHELLOPTS",
          "BASHOPTS",
          "PS4",
          "TAR_OPTIONS",
          "RSYNC_RSH",
          "CARGO_BUILD_RUSTC_WRAPPER",
          "JAVA_TOOL_OPTIONS",
          "_JAVA_OPTIONS",
          "MAKEFLAGS",
          "GIT_EXEC_PATH",
          "GIT_CONFIG_GLOBAL",
          "GIT_CONFIG_COUNT",
          "LD_LIBRARY_PATH",
          "PYTHONPATH",
          "PERL5LIB",
          "RUBYLIB",
          "CDPATH");
  private static final Pattern SECRET_NAME =
      Pattern.compile("(?i).*(passw|secret|token|api_?key|private_?key|credential).*");
  private static final Set<String> SHELLS =
      Set.of("sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "csh", "tcsh", "rbash", "mksh");
  private static final Set<String> DESTROYING =
      Set.of(
          "delete",
          "destroy",
          "purge",
          "wipe",
          "erase",
          "drop",
          "terminate",
          "nuke",
          "flushall",
          "format",
          "factory-reset",
          "reset-all",
          "prune");
  private static final Set<String> DELETERS = Set.of("rm", "unlink", "shred", "rmdir", "srm");

  private final ScriptWalker walker;
  private final FileRules files;
  private final Report report;
  private final ProgramTable table = ProgramTable.standard();
  private final BuiltinRules builtins;
  private final InterpreterRules interpreters;
  private final OperandRules operands;
  private int depth;

  ProgramRules(ScriptWalker walker, FileRules files, Report report) {
    this.walker = walker;
    this.files = files;
    this.report = report;
    this.builtins = new BuiltinRules(walker, report, this);
    this.interpreters = new InterpreterRules(walker, files, report);
    this.operands = new OperandRules(walker, files, report, this);
  }

  /// Judges a call, and says what it writes to its output.
  PipeData judge(Call call) {
    if (++depth > 40) {
      report.tooMuch(call.span());
      depth--;
      return PipeData.UNKNOWN;
    }
    var output = known(call);
    depth--;
    return output;
  }

  private PipeData known(Call call) {
    var program = call.program();
    report.invocation(
        new Invocation(
            program.argument(),
            call.arguments().stream().map(ResolvedWord::argument).toList(),
            call.wrappers(),
            call.isCertain(),
            call.span()));
    if (!program.isKnown() || program.isPattern()) {
      report.high(
          RiskAxis.OPAQUE,
          "computed-program",
          program.span(),
          "The name of the program is made when the command runs.");
      return PipeData.UNKNOWN;
    }
    var state = walker.state();
    var alias = state.aliases.get(program.value());
    if (alias != null) return alias(call, alias);
    var function = state.functions.get(program.value());
    report.fact(Fact.Kind.RUNS, program.value(), program.span());
    if (function != null) return walker.call(function, call.arguments(), call.input());
    return program(call);
  }

  private PipeData alias(Call call, ResolvedWord alias) {
    var aliases = walker.state().aliases;
    aliases.remove(call.program().value());
    var words = new ArrayList<ResolvedWord>();
    words.add(alias);
    words.addAll(call.arguments());
    var text = EchoedText.joined(words, call.span());
    var output = walker.text(text, call.input(), call.span());
    aliases.put(call.program().value(), alias);
    return output;
  }

  private PipeData program(Call call) {
    var name = call.name();
    location(call);
    if (builtins.judge(call)) return PipeData.NONE;
    if (SHELLS.contains(name)) return interpreters.shell(call);
    if (interpreters.isInterpreter(name)) return interpreters.script(call);
    var inner = Wrappers.inner(call);
    if (inner != null) return wrapped(call, inner);
    var known = table.find(name);
    if (known == null) return unknown(call);
    return entry(call, known);
  }

  // A program from a directory that anybody may fill is not the one that its name says.
  private void location(Call call) {
    var path = call.program().value();
    int slash = path.lastIndexOf('/');
    if (slash < 0) return;
    var directory = path.substring(0, slash);
    if (directory.matches("(/usr(/local)?|/opt/homebrew)?/s?bin")) return;
    report.fact(Fact.Kind.RUNS_FILE, path, call.program().span());
    report.medium(
        RiskAxis.OPAQUE,
        Report.UNKNOWN_PROGRAM,
        call.program().span(),
        "Runs a file whose effects are not known.");
    if (path.startsWith("/tmp/") || path.startsWith("/dev/") || path.startsWith("/var/tmp/")) {
      report.high(
          RiskAxis.OPAQUE,
          "runs-temporary-file",
          call.program().span(),
          "Runs a file from a directory that anybody may write to.");
    }
  }

  private PipeData unknown(Call call) {
    report.medium(
        RiskAxis.OPAQUE,
        Report.UNKNOWN_PROGRAM,
        call.program().span(),
        "The effects of this program are not known.");
    if (call.program().value().chars().anyMatch(c -> c > 0x7E)) {
      report.high(
          RiskAxis.OPAQUE,
          "foreign-program",
          call.program().span(),
          "The name of the program has letters that are not ASCII.");
    }
    destroysByWord(call);
    for (var argument : call.arguments()) {
      var place = files.place(argument, walker.state());
      if (SensitivePaths.isSecret(place.path())) files.read(argument, walker.state());
    }
    return PipeData.UNKNOWN;
  }

  // `btrfs subvolume delete x`: the words of a program that is not known say enough.
  private void destroysByWord(Call call) {
    var found =
        call.arguments().stream()
            .limit(3)
            .filter(word -> DESTROYING.contains(word.value()))
            .findFirst();
    if (found.isEmpty()) return;
    report.high(
        RiskAxis.DESTROYS,
        "destroys-by-word",
        found.get().span(),
        "By its words, it deletes something for good.");
  }

  private PipeData entry(Call call, Program known) {
    danger(known.danger(), call.program().span(), "`" + known.name() + "`", known.operands());
    var arguments =
        Arguments.read(known.options(), operands.normal(known, call), stopsAtOperand(known));
    for (var option : arguments.options()) {
      danger(
          option.option().danger(), option.word().span(), "`" + option.option().name() + "`", "");
      operands.option(call, option);
    }
    return operands.judge(call, known, arguments);
  }

  private static boolean stopsAtOperand(Program program) {
    return Set.of("sub", "git", "run", "ssh", "docker").contains(program.operands());
  }

  /// Judges a subcommand by its own line, such as `git push`.
  @Nullable PipeData subcommand(Call call, String program, List<ResolvedWord> words) {
    if (words.isEmpty()) return null;
    var known = table.find(program + " " + words.getFirst().value());
    if (known == null) return null;
    return entry(new Call(words, call.wrappers(), call.input(), call.isCertain()), known);
  }

  /// Reports what the table says of a program or an option, if it is dangerous.
  void danger(Danger danger, Span span, String subject, String role) {
    // These say themselves, by the arguments, whether the danger is there.
    if (danger.level() == RiskLevel.LOW || Set.of("packages", "capture").contains(role)) return;
    report.add(
        new Finding(
            danger.axis(),
            danger.level(),
            danger.code(),
            span,
            subject + " " + danger.what() + "."));
  }

  private PipeData wrapped(Call call, Wrappers.Inner inner) {
    var name = call.name();
    if (Set.of("sudo", "doas", "pkexec", "run0", "runuser").contains(name)) privilege(call, inner);
    if (name.equals("command") && inner.arguments().has("-v", "-V")) return PipeData.UNKNOWN;
    var known = table.find(name);
    if (known != null) danger(known.danger(), call.program().span(), "`" + name + "`", "");
    if (name.equals("env")) environment(call, inner);
    if (inner.words().isEmpty()) return PipeData.UNKNOWN;
    if (name.equals("xargs") || name.equals("gxargs")) return xargs(call, inner);
    if (inner.isText()) {
      boolean isDynamic = name.equals("parallel") || name.equals("sem");
      var words = new ArrayList<>(inner.words());
      if (isDynamic && call.input().isPiped()) words.add(ResolvedWord.of("{}", call.span()));
      var text = EchoedText.joined(words, call.span());
      return walker.text(text, call.input(), call.span());
    }
    return judge(call.inner(inner.words(), true));
  }

  private void privilege(Call call, Wrappers.Inner inner) {
    report.fact(Fact.Kind.PRIVILEGE, call.name(), call.program().span());
    report.medium(
        RiskAxis.PRIVILEGE,
        "other-user",
        call.program().span(),
        "Runs with the rights of another user.");
    boolean isShell = inner.arguments().has("-i", "-s", "--login", "--shell");
    if (isShell && inner.words().isEmpty()) {
      report.high(RiskAxis.PRIVILEGE, "root-shell", call.span(), "Opens a shell with all rights.");
    }
  }

  private void environment(Call call, Wrappers.Inner inner) {
    if (inner.words().isEmpty()) {
      report.medium(
          RiskAxis.READS_SECRET,
          "shows-environment",
          call.program().span(),
          "Shows all variables, which may hold secrets.");
    }
    for (var word : inner.arguments().operands()) {
      if (!Wrappers.isAssignment(word)) break;
      int equals = word.value().indexOf('=');
      environment(word.value().substring(0, equals), word.from(equals + 1), word.span());
    }
  }

  private PipeData xargs(Call call, Wrappers.Inner inner) {
    var words = new ArrayList<ResolvedWord>();
    var marks = inner.arguments().values("-I");
    var mark = marks.isEmpty() ? "{}" : marks.getFirst().value();
    boolean isReplacing = inner.arguments().has("-I", "-i", "--replace");
    var text = call.input().text();
    for (var word : inner.words()) {
      boolean isReplaced = isReplacing && word.is(mark);
      if (!isReplaced) words.add(word);
      else if (text == null) words.add(ResolvedWord.unknown(word.span()));
      else words.add(new ResolvedWord(text, false, word.span()));
    }
    if (!isReplacing) {
      if (text == null) words.add(ResolvedWord.unknown(call.span()));
      else {
        for (var value : text.text().strip().split("\\s+", 0)) {
          words.add(ResolvedWord.of(value, text.span(0, text.length())));
        }
      }
    }
    var command = call.inner(words, text != null);
    if (call.input().kind() == PipeData.Kind.ALL_FILES && DELETERS.contains(command.name())) {
      report.high(
          RiskAxis.DESTROYS,
          "deletes-found",
          call.span(),
          "Deletes every file that a search finds.");
    }
    int before = report.count(RiskAxis.DESTROYS);
    var output =
        judge(new Call(command.words(), command.wrappers(), PipeData.NONE, command.isCertain()));
    if (call.input().kind() == PipeData.Kind.ALL_FILES
        && report.count(RiskAxis.DESTROYS) > before) {
      report.high(
          RiskAxis.DESTROYS, "deletes-listed", call.span(), "Removes all that a program lists.");
    }
    return output;
  }

  boolean isDeleter(String name) {
    return DELETERS.contains(name);
  }

  /// A variable is set for the shell or for a program.
  void environment(String name, ResolvedWord value, Span span) {
    report.fact(Fact.Kind.ENVIRONMENT, name, span);
    if (name.matches("PS[0-4]|PROMPT") && value.value().matches("(?s).*(\\$\\(|`).*")) {
      report.high(
          RiskAxis.PERSISTENCE, "prompt-runs-command", span, "Runs a command with each prompt.");
    } else if (name.equals("PATH")) {
      path(value, span);
    } else if (HIJACKING.contains(name)) {
      boolean isPager = Set.of("PAGER", "MANPAGER", "GIT_PAGER", "ENV").contains(name);
      boolean isHarmless = isPager && Set.of("cat", "less", "more", "").contains(value.value());
      boolean isPath = name.endsWith("PATH") || name.endsWith("LIB") || isPager;
      if (isHarmless || (value.isKnown() && value.value().isEmpty())) return;
      var level = isPath && value.isKnown() ? RiskLevel.MEDIUM : RiskLevel.HIGH;
      report.add(
          new Finding(
              RiskAxis.OPAQUE,
              level,
              "hijacks-programs",
              span,
              "`" + name + "` makes other programs run code."));
    } else if (SECRET_NAME.matcher(name).matches() && value.isKnown() && !value.value().isEmpty()) {
      report.low(RiskAxis.READS_SECRET, "names-secret", span, "The command holds a secret.");
    }
  }

  private void path(ResolvedWord value, Span span) {
    var text = value.value();
    boolean isFirst = !text.startsWith(String.valueOf(ResolvedWord.UNKNOWN));
    boolean isOpen = false;
    for (var directory : text.split(":", -1)) {
      isOpen |=
          directory.isEmpty()
              || directory.startsWith(".")
              || directory.startsWith("/tmp")
              || directory.startsWith("/dev/shm");
    }
    var level = isOpen && isFirst ? RiskLevel.HIGH : RiskLevel.MEDIUM;
    report.add(
        new Finding(
            RiskAxis.OPAQUE,
            level,
            "changes-path",
            span,
            "Changes which programs the names of commands stand for."));
  }
}
