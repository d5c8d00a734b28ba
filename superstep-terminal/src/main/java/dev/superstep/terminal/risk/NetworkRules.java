package dev.superstep.terminal.risk;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Judges programs that go to other machines: to which, with what, and what runs there. One thread
/// at a time.
final class NetworkRules {
  private static final Pattern HOST =
      Pattern.compile(
          "(?:[a-zA-Z][a-zA-Z0-9+.-]*://)?(?:[^/@\\s]*@)?(\\[[0-9a-fA-F:]+]|[^/:?#\\s]+).*");
  private static final Pattern REMOTE = Pattern.compile("(?s)([^/:@]+@)?[^/:]{2,}:.*|rsync://.*");

  private final ScriptWalker walker;
  private final FileRules files;
  private final Report report;

  NetworkRules(ScriptWalker walker, FileRules files, Report report) {
    this.walker = walker;
    this.files = files;
    this.report = report;
  }

  void option(String role, ResolvedWord value) {
    switch (role) {
      case "upload" -> {
        if (value.value().startsWith("@") && value.value().length() > 1) upload(value.from(1));
        else secretText(value);
      }
      case "form" -> {
        int at = Math.max(value.value().indexOf("=@"), value.value().indexOf("=<"));
        if (at >= 0) upload(value.from(at + 2));
        else secretText(value);
      }
      case "url", "host" -> connect(value);
      case "sshoption" -> {
        if (value
            .value()
            .matches(
                "(?i)(ProxyCommand|LocalCommand|PermitLocalCommand|KnownHostsCommand|Match).*")) {
          report.high(
              RiskAxis.OPAQUE, "runs-command", value.span(), "An option that runs a command.");
        }
      }
      default -> {}
    }
  }

  private void upload(ResolvedWord file) {
    report.high(RiskAxis.NETWORK_OUT, "upload", file.span(), "Sends a file to the network.");
    files.read(file, walker.state());
  }

  // What a substitution writes goes out with the request.
  private void secretText(ResolvedWord value) {
    if (!value.isKnown()) {
      report.medium(
          RiskAxis.NETWORK_OUT,
          "sends-data",
          value.span(),
          "Sends data that is made when it runs.");
    }
  }

  PipeData judge(Call call, String role, Arguments arguments) {
    var words = arguments.operands();
    switch (role) {
      case "url" -> {
        for (var word : words) url(word);
        return PipeData.NETWORK;
      }
      case "host" -> {
        if (!words.isEmpty()) connect(words.getFirst());
      }
      case "ssh" -> remoteShell(call, words);
      case "rsync" -> {
        copy(words);
        if (arguments.has("--remove-source-files")) {
          int last = Math.max(0, words.size() - 1);
          words.subList(0, last).forEach(word -> files.takeAway(word, walker.state()));
        }
      }
      case "nc" -> raw(call, words, arguments);
      case "docker" -> container(call, words);
      default -> {}
    }
    return role.equals("nc") || role.equals("ssh") ? PipeData.NETWORK : PipeData.UNKNOWN;
  }

  private void url(ResolvedWord word) {
    if (word.value().startsWith("file://")) {
      files.read(word.from("file://".length()), walker.state());
      return;
    }
    if (word.value().startsWith("ext::")) return;
    boolean isLocal = word.value().startsWith("/") || word.value().startsWith("./");
    if (!isLocal) connect(word);
    else files.list(word, walker.state(), false);
  }

  private void connect(ResolvedWord word) {
    var matcher = HOST.matcher(word.value());
    var host = matcher.matches() ? matcher.group(1) : word.value();
    report.fact(Fact.Kind.CONNECTS, host, word.span());
    boolean isForeign = host.chars().anyMatch(c -> c > 0x7E && c != ResolvedWord.UNKNOWN);
    if (isForeign || host.startsWith("xn--") || host.contains(".xn--")) {
      report.high(
          RiskAxis.NETWORK_OUT,
          "foreign-host",
          word.span(),
          "The name of the host may imitate another.");
    }
  }

  private void remoteShell(Call call, List<ResolvedWord> words) {
    if (words.isEmpty()) return;
    connect(words.getFirst());
    if (words.size() < 2) return;
    var text = EchoedText.joined(words.subList(1, words.size()), call.span());
    var state = walker.state();
    var directory = state.directory;
    // The other machine has a workspace of its own.
    walker.text(text, call.input(), call.span());
    state.directory = directory;
  }

  private void copy(List<ResolvedWord> words) {
    boolean isRemote = false;
    for (int i = 0; i < words.size(); i++) {
      var word = words.get(i);
      boolean isTarget = i == words.size() - 1 && words.size() > 1;
      if (REMOTE.matcher(word.value()).matches()) {
        isRemote = true;
        connect(word);
      } else if (isTarget) {
        files.write(word, walker.state(), true);
      } else {
        files.read(word, walker.state());
      }
    }
    if (isRemote) {
      report.medium(
          RiskAxis.NETWORK_OUT,
          "copies-over-network",
          words.getLast().span(),
          "Copies files to or from another machine.");
    }
  }

  private void raw(Call call, List<ResolvedWord> words, Arguments arguments) {
    for (var word : words) {
      if (word.value().matches("(?i)(EXEC|SYSTEM|SHELL):.*")) {
        report.high(
            RiskAxis.NETWORK_OUT, "remote-control", word.span(), "Gives a program to the network.");
      }
    }
    if (!words.isEmpty()) connect(words.getFirst());
    boolean isSending =
        call.input().kind() == PipeData.Kind.UNKNOWN
            || call.input().kind() == PipeData.Kind.ALL_FILES;
    if (isSending && !arguments.has("-z")) {
      report.high(
          RiskAxis.NETWORK_OUT, "sends-data", call.span(), "Sends what another command writes.");
    }
  }

  private void container(Call call, List<ResolvedWord> words) {
    if (words.size() < 3) return;
    var command = words.subList(1, words.size());
    boolean isShell = Set.of("sh", "bash").contains(command.getFirst().value());
    for (var word : command) {
      report.fact(Fact.Kind.RUNS, word.value(), word.span());
      break;
    }
    if (isShell) {
      var text = EchoedText.joined(command, call.span());
      walker.text(text, call.input(), call.span());
    }
  }
}
