package dev.superstep.terminal.risk;

import dev.superstep.language.Span;
import dev.superstep.terminal.shell.MappedText;
import java.util.Set;
import java.util.regex.Pattern;

/// Judges the small languages that programs take as arguments: of `sed`, `awk`, `tar`, databases.
/// One thread at a time.
final class CodeOperands {
  private static final Set<String> ROLES = Set.of("sed", "awk", "tar", "rsyncd", "sql", "openssl");
  private static final Pattern AWK_SYSTEM =
      Pattern.compile("system\\s*\\(\\s*(\"([^\"\\\\]*(?:\\\\.[^\"\\\\]*)*)\"\\s*\\))?");
  private static final Pattern AWK_PIPE =
      Pattern.compile(
          "\\|&?\\s*\"((?:[^\"\\\\]|\\\\.)*)\"|\"((?:[^\"\\\\]|\\\\.)*)\"\\s*\\|&?\\s*getline");
  private static final Pattern AWK_OPEN_PIPE =
      Pattern.compile("[^|]\\|&?\\s*([A-Za-z_$(]\\w*)|/inet/");
  private static final Pattern AWK_WRITE =
      Pattern.compile("print[^;}|\"]*(?:\"[^\"]*\"[^;}|\"]*)*>{1,2}\\s*\"([^\"]+)\"");
  private static final Pattern SED_RUNS =
      Pattern.compile("(^|[;{}\\n])\\s*([0-9$,~!+ ]*|/[^/]*/[I!]?)\\s*e(\\s|$)");
  private static final Pattern SED_FLAG =
      Pattern.compile("s(.).*?\\1.*?\\1[gipIM0-9]*e[gipIM0-9]*\\s*($|[;}\\n])", Pattern.DOTALL);
  private static final Pattern SED_WRITE =
      Pattern.compile("(^|[;{}\\n/])\\s*[gpiI0-9]*[wW]\\s+(/[^\\s;}]+|[^\\s;}/]+)\\s*$");
  private static final Pattern SQL_DROP =
      Pattern.compile(
          "(?is).*(\\b(drop|truncate)\\s+(table|database|schema|user|role|view|index|column|keyspace|if|collection|\\w+)"
              + "|\\bdelete\\s+from\\s+[^;]*|\\bflush(all|db)\\b|dropDatabase|\\.(drop|deleteMany|remove)\\s*\\("
              + "|\\bgrant\\s+all|\\binto\\s+(outfile|dumpfile)|\\bto\\s+program\\b|\\\\!|\\.shell\\b|\\.system\\b"
              + "|\\balter\\s+user|load_file|xp_cmdshell|\\bshutdown\\b|config\\s+set).*");

  private static final int LENGTH_MAX = 1000;

  private final ScriptWalker walker;
  private final FileRules files;
  private final Report report;

  CodeOperands(ScriptWalker walker, FileRules files, Report report) {
    this.walker = walker;
    this.files = files;
    this.report = report;
  }

  boolean isCode(String role) {
    return ROLES.contains(role);
  }

  void judge(Call call, String role, Arguments arguments) {
    switch (role) {
      case "sed" -> sed(arguments);
      case "awk" -> awk(arguments);
      case "tar" -> tar(call, arguments);
      case "sql" -> {
        arguments.operands().forEach(word -> sql(word, false));
        boolean drops = arguments.operands().stream().anyMatch(word -> word.is("drop"));
        if (call.name().startsWith("drop") || (drops && call.name().equals("mysqladmin"))) {
          drops(call.span());
        }
      }
      case "openssl" -> {
        boolean isKey =
            arguments.operands().stream()
                .anyMatch(w -> w.value().matches("export-.*|s_client|show|find-.*"));
        if (isKey && !arguments.operands().getFirst().is("s_client")) exportsKey(call);
      }
      default -> {}
    }
    if (role.equals("sql") && call.input().text() != null) {
      sql(new ResolvedWord(call.input().text(), false, call.span()), false);
    }
  }

  private void exportsKey(Call call) {
    report.high(
        RiskAxis.READS_SECRET, "exports-keys", call.span(), "Shows stored keys or passwords.");
  }

  private void sed(Arguments arguments) {
    var words = arguments.operands();
    boolean hasScript = arguments.has("-e", "-f");
    for (var script : arguments.values("-e")) sedScript(script);
    if (!hasScript && !words.isEmpty()) sedScript(words.getFirst());
    for (var word : words.subList(Math.min(hasScript ? 0 : 1, words.size()), words.size())) {
      if (arguments.has("-i")) files.write(word, walker.state(), false);
      else files.read(word, walker.state());
    }
  }

  private void sedScript(ResolvedWord script) {
    var text = script.value();
    if (isTooLong(script)) return;
    if (SED_RUNS.matcher(text).find() || SED_FLAG.matcher(text).find()) {
      report.high(
          RiskAxis.OPAQUE, "runs-command", script.span(), "The script of sed runs commands.");
    }
    var write = SED_WRITE.matcher(text);
    if (write.find()) {
      var file = ResolvedWord.of(write.group(2), script.span());
      files.write(file, walker.state(), true);
    }
  }

  private void awk(Arguments arguments) {
    var words = arguments.operands();
    boolean hasScript = arguments.has("-f", "-e");
    if (!hasScript && !words.isEmpty()) awkProgram(words.getFirst());
    for (var script : arguments.values("-e")) awkProgram(script);
    for (var word : words.subList(Math.min(hasScript ? 0 : 1, words.size()), words.size())) {
      if (!Wrappers.isAssignment(word)) files.read(word, walker.state());
    }
  }

  private void awkProgram(ResolvedWord program) {
    if (isTooLong(program)) return;
    var text = program.text();
    var system = AWK_SYSTEM.matcher(text.text());
    while (system.find()) {
      boolean isKnown = system.group(2) != null;
      if (isKnown) inner(text.part(system.start(2), system.end(2)), program.span());
      else runs(program);
    }
    var pipe = AWK_PIPE.matcher(text.text());
    while (pipe.find()) {
      int group = pipe.group(1) != null ? 1 : 2;
      inner(text.part(pipe.start(group), pipe.end(group)), program.span());
    }
    if (AWK_OPEN_PIPE.matcher(text.text()).find() && !text.text().contains("||")) runs(program);
    var write = AWK_WRITE.matcher(text.text());
    while (write.find()) {
      var part = text.part(write.start(1), write.end(1));
      files.write(new ResolvedWord(part, false, program.span()), walker.state(), true);
    }
  }

  private void inner(MappedText text, Span span) {
    walker.text(text, PipeData.UNKNOWN, span);
  }

  // The patterns take time that grows faster than the text.
  private boolean isTooLong(ResolvedWord code) {
    if (code.text().length() <= LENGTH_MAX) return false;
    report.high(
        RiskAxis.OPAQUE,
        "long-code",
        code.span(),
        "The code inside the command is too long to be read.");
    return true;
  }

  private void runs(ResolvedWord program) {
    report.high(
        RiskAxis.OPAQUE,
        "runs-command",
        program.span(),
        "The program of awk runs commands that it makes.");
  }

  private void tar(Call call, Arguments arguments) {
    boolean isWritten = arguments.has("-c", "-r", "-u", "-A", "--create", "--append", "--update");
    boolean isUnpacked = arguments.has("-x", "--extract", "--get");
    for (var archive : arguments.values("-f")) {
      if (isWritten) files.write(archive, walker.state(), true);
      else files.read(archive, walker.state());
    }
    for (var directory : arguments.values("-C")) {
      if (isUnpacked) files.write(directory, walker.state(), false);
      else files.list(directory, walker.state(), true);
    }
    if (isWritten) arguments.operands().forEach(word -> files.read(word, walker.state()));
    if (isUnpacked) {
      boolean isAbsolute = arguments.has("-P", "--absolute-names");
      var level = isAbsolute ? RiskLevel.HIGH : RiskLevel.MEDIUM;
      report.add(
          new Finding(
              RiskAxis.OVERWRITES,
              level,
              "unpacks",
              call.span(),
              "Unpacks files, over existing ones too."));
    }
  }

  /// Judges what is given to a database, or code of a program.
  void sql(ResolvedWord text, boolean isCode) {
    if (isTooLong(text)) return;
    if (isCode) {
      report.medium(
          RiskAxis.OPAQUE, Report.INLINE_CODE, text.span(), "Runs code that it is given.");
    } else if (SQL_DROP.matcher(text.value()).matches()) {
      drops(text.span());
    }
  }

  void drops(Span span) {
    report.high(
        RiskAxis.DESTROYS, "deletes-database", span, "Deletes or opens up data of a database.");
  }
}
