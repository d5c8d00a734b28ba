package dev.superstep.terminal.risk;

import dev.superstep.terminal.shell.MappedText;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Judges shells and other interpreters: the code that they are given, piped or named. One thread
/// at a time.
final class InterpreterRules {
  /// Interpreters, and the letters of their options that take code.
  private static final Map<String, String> CODE_OPTIONS =
      Map.ofEntries(
          Map.entry("perl", "eE"),
          Map.entry("python", "c"),
          Map.entry("pypy", "c"),
          Map.entry("ruby", "e"),
          Map.entry("node", "ep"),
          Map.entry("nodejs", "ep"),
          Map.entry("php", "rBRE"),
          Map.entry("ipython", "c"));

  private static final Set<String> VALUE_LETTERS =
      Set.of("I", "M", "m", "W", "X", "F", "r", "d", "0");
  private static final Pattern DANGEROUS =
      Pattern.compile(
          "\\b(system|exec[lv]*[pe]*|execSync|qx|popen\\w*|spawn\\w*|fork|unlink\\w*|rmdir\\w*|rmtree"
              + "|remove_tree|removedirs|rename|kill\\w*|chmod|chown|truncate|socket\\w*|connect|eval"
              + "|syscall|pty|subprocess|shutil|ctypes|importlib|__import__|__builtins__|getattr|setattr"
              + "|globals|locals|compile|base64\\w*|codecs|marshal|pickle|urllib\\w*|requests|https?|ftplib"
              + "|smtplib|paramiko|telnetlib|child_process|passthru|shell_exec|proc_open|pcntl\\w*"
              + "|file_put_contents|fwrite|fsockopen|curl\\w*|assert|Socket|LWP|FileUtils|Kernel"
              + "|instance_eval|class_eval|public_send|__send__|const_get|winreg|mmap|signal"
              + "|environ|getenv|putenv|setuid|os\\.(remove|walk|dup2|link|symlink|mkfifo)"
              + "|File\\.(delete|write|open)|IO\\.|Process\\.|process\\.|Dir\\.|fs\\.|net\\."
              + "|write_text|write_bytes|writeFile\\w*|rmSync|unlinkSync|appendFile\\w*|syswrite|dump)\\b"
              + "|\\bENV\\b|%x|`|(IO|File|Net|Sys|POSIX)::|\\bpack\\b|\\bchr\\s*\\(|\\\\x[0-9a-fA-F]{2}|\\\\u00"
              + "|->\\s*\\(|&\\s*[{$]|[*$@]\\s*\\{\\s*[\"']|\\bopen\\s*\\(?[^;]*[\"'][^\"']*[>|+]"
              + "|\\bopen\\s*\\([^)]*,\\s*[\"'][rwaxb+]*[wax+]|\\bdo\\s*[\"(]|\\brequire\\b");

  private static final int CODE_MAX = 2000;

  private final ScriptWalker walker;
  private final FileRules files;
  private final Report report;

  InterpreterRules(ScriptWalker walker, FileRules files, Report report) {
    this.walker = walker;
    this.files = files;
    this.report = report;
  }

  boolean isInterpreter(String name) {
    return CODE_OPTIONS.containsKey(plain(name));
  }

  private static String plain(String name) {
    return name.replaceFirst("[-.0-9]+$", "");
  }

  /// Judges `sh` and its kin.
  PipeData shell(Call call) {
    var arguments = call.arguments();
    int at = 0;
    boolean isText = false;
    boolean isInput = false;
    while (at < arguments.size() && arguments.get(at).value().matches("(?s)[-+].+")) {
      var option = arguments.get(at++).value();
      if (option.equals("--")) break;
      if (option.equals("--rcfile") || option.equals("--init-file")) {
        files(call, at++);
        continue;
      }
      if (option.matches("[-+]O|[-+][a-z]*o")) at++;
      if (option.startsWith("--")) continue;
      isText |= option.startsWith("-") && option.indexOf('c') > 0;
      isInput |= option.indexOf('s') > 0;
    }
    if (isText) return at < arguments.size() ? commandText(call, at) : PipeData.UNKNOWN;
    if (at < arguments.size() && !isInput) {
      file(call, arguments.get(at));
      return PipeData.UNKNOWN;
    }
    return piped(call);
  }

  private void files(Call call, int at) {
    if (at < call.arguments().size()) file(call, call.arguments().get(at));
  }

  private PipeData commandText(Call call, int at) {
    var arguments = call.arguments();
    var text = arguments.get(at);
    var state = walker.state();
    // `sh -c 'rm $1' name value`: the words behind are the parameters of the text.
    for (int i = at + 1; i < Math.min(arguments.size(), at + 10); i++) {
      state.variables.put(String.valueOf(i - at - 1), arguments.get(i));
    }
    if (at + 2 < arguments.size()) {
      var rest = arguments.subList(at + 2, arguments.size());
      var all = new ResolvedWord(EchoedText.joined(rest, call.span()), false, call.span());
      for (var name : List.of("@", "*")) state.variables.put(name, all);
    }
    return walker.text(text.text(), call.input(), text.span());
  }

  private PipeData piped(Call call) {
    var text = call.input().text();
    if (text != null) return walker.text(text, PipeData.NONE, call.span());
    if (call.input().isPiped()) {
      report.high(
          RiskAxis.OPAQUE,
          "pipes-into-interpreter",
          call.span(),
          "Runs what another command writes, unseen.");
      if (call.input().kind() == PipeData.Kind.NETWORK) network(call);
    } else {
      report.medium(
          RiskAxis.OPAQUE, Report.UNKNOWN_PROGRAM, call.span(), "Opens an interactive shell.");
    }
    return PipeData.UNKNOWN;
  }

  private void network(Call call) {
    report.high(
        RiskAxis.NETWORK_OUT, "runs-download", call.span(), "Runs code from the network, unseen.");
  }

  private void file(Call call, ResolvedWord file) {
    report.fact(Fact.Kind.RUNS_FILE, file.value(), file.span());
    if (file.value().startsWith("/dev/") || !file.isKnown() || file.is("-")) {
      if (file.is("-") && !call.input().isPiped()) return;
      report.high(
          RiskAxis.OPAQUE, "computed-script", file.span(), "Runs code that is made when it runs.");
      return;
    }
    report.medium(RiskAxis.OPAQUE, Report.UNKNOWN_PROGRAM, file.span(), "Runs the code of a file.");
    var place = files.place(file, walker.state());
    if (place.area() == Place.Area.TEMPORARY) {
      report.high(
          RiskAxis.OPAQUE,
          "runs-temporary-file",
          file.span(),
          "Runs a file from a directory that anybody may write to.");
    }
  }

  /// Judges `perl`, `python` and such.
  @SuppressWarnings("ReferenceEquality") // the word itself, not one that reads like it
  PipeData script(Call call) {
    var letters = CODE_OPTIONS.getOrDefault(plain(call.name()), "");
    var arguments = call.arguments();
    boolean hasCode = false;
    int at = 0;
    for (; at < arguments.size(); at++) {
      var option = arguments.get(at).value();
      if (!option.startsWith("-") || option.equals("-")) break;
      if (call.name().startsWith("perl") && option.matches("-[a-zA-Z0]*i.*")) inPlace(call);
      if (option.equals("-m") && call.name().startsWith("p")) return module(call, at + 1);
      var code = codeIn(option, letters, at, arguments);
      if (code != null) {
        hasCode = true;
        code(code.text(), code);
        if (code == arguments.get(at)) continue;
        at++;
      } else if (option.length() == 2 && VALUE_LETTERS.contains(option.substring(1))) {
        at++;
      }
    }
    if (hasCode) {
      for (var file : arguments.subList(Math.min(at, arguments.size()), arguments.size())) {
        files.read(file, walker.state());
      }
    } else if (at < arguments.size() && !arguments.get(at).is("-")) {
      file(call, arguments.get(at));
    } else if (!arguments.stream().anyMatch(word -> word.value().matches("-+[vVh].*"))) {
      input(call);
    }
    return PipeData.UNKNOWN;
  }

  private static @Nullable ResolvedWord codeIn(
      String option, String letters, int at, List<ResolvedWord> arguments) {
    boolean isLong = option.equals("--eval") || option.equals("--print");
    if (option.startsWith("--") && !isLong) {
      return option.startsWith("--eval=") ? arguments.get(at) : null;
    }
    for (int i = 1; i < option.length(); i++) {
      boolean isCode = isLong || letters.indexOf(option.charAt(i)) >= 0;
      if (!isCode) {
        if ("IMFmr".indexOf(option.charAt(i)) >= 0) return null;
        continue;
      }
      boolean isLast = isLong || i == option.length() - 1;
      if (!isLast && letters.length() == 1) return arguments.get(at).from(i + 1);
      if (isLast) return at + 1 < arguments.size() ? arguments.get(at + 1) : arguments.get(at);
    }
    return null;
  }

  private void inPlace(Call call) {
    report.medium(
        RiskAxis.OVERWRITES, "edits-in-place", call.span(), "Changes the files that it reads.");
  }

  private PipeData module(Call call, int at) {
    var module = at < call.arguments().size() ? call.arguments().get(at).value() : "";
    report.medium(
        RiskAxis.OPAQUE, Report.UNKNOWN_PROGRAM, call.span(), "Runs a module of the interpreter.");
    if (module.matches("http\\.server|SimpleHTTPServer|smtpd|ftplib|pyftpdlib")) {
      report.medium(
          RiskAxis.NETWORK_OUT, "serves-files", call.span(), "Offers files to the network.");
    }
    return PipeData.UNKNOWN;
  }

  private void input(Call call) {
    var text = call.input().text();
    if (text != null) code(text, call.program());
    else if (call.input().isPiped()) piped(call);
    else piped(new Call(call.words(), call.wrappers(), PipeData.NONE, call.isCertain()));
  }

  /// Judges code of another language by the words in it; what is not dangerous is still not known.
  void code(MappedText code, ResolvedWord place) {
    boolean isUnknown = code.text().indexOf(ResolvedWord.UNKNOWN) >= 0;
    if (isUnknown && code.text().strip().length() < 3) {
      report.high(
          RiskAxis.OPAQUE, "computed-script", place.span(), "Runs code that is made when it runs.");
    } else if (code.length() > CODE_MAX || DANGEROUS.matcher(code.text()).find()) {
      report.high(
          RiskAxis.OPAQUE,
          Report.INLINE_CODE,
          place.span(),
          "Runs code in another language that starts programs, changes files or hides what it"
              + " does.");
    } else {
      report.medium(
          RiskAxis.OPAQUE, Report.INLINE_CODE, place.span(), "Runs code in another language.");
    }
    for (var file : PATH_IN_CODE.matcher(code.text()).results().limit(8).toList()) {
      var word = new ResolvedWord(code.part(file.start(1), file.end(1)), false, place.span());
      files.read(word, walker.state());
    }
  }

  private static final Pattern PATH_IN_CODE = Pattern.compile("[\"'](/[A-Za-z0-9_./-]{3,})[\"']");
}
