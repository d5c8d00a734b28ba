package dev.superstep.terminal.policy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// By what a harmless program runs another one, writes a file of any name, or loads code. A rule
/// that allows a program never covers these, whatever it says of options.
final class EscapingOptions {
  /// Programs whose words are a command, or code: no rule allows them.
  private static final Set<String> RUNNERS =
      Set.of(
          ("sudo doas su pkexec runuser env xargs parallel nohup timeout nice ionice setsid stdbuf"
                  + " time watch strace ltrace gdb lldb script flock chroot unshare nsenter ssh"
                  + " busybox toybox command exec eval source . builtin trap alias export declare"
                  + " enable bind hash at batch crontab entr expect tclsh wish emacs vi vim nvim ex"
                  + " view ed less more most man info awk gawk mawk nawk dc bc"
                  + " docker podman nerdctl kubectl systemd-run screen tmux socat nc ncat telnet"
                  + " start-stop-daemon capsh setarch ld.so ld-linux-x86-64.so.2 run-parts"
                  + " shopt set unset cd pushd logsave rlwrap unbuffer fakeroot proot")
              .split(" "));

  /// Programs that run the code in an option, or in a file of the person's choice.
  private static final Set<String> INTERPRETERS =
      Set.of(
          ("sh bash dash zsh ksh fish csh tcsh python python2 python3 pypy perl ruby node deno bun"
                  + " php lua luajit Rscript R julia osascript pwsh java jshell groovy scala kotlin"
                  + " ghc runghc ocaml racket guile erl elixir iex swift go-run ts-node tsx")
              .split(" "));

  private static final Set<String> INLINE =
      Set.of(
          "-c",
          "-e",
          "-E",
          "-r",
          "-p",
          "-pe",
          "-ne",
          "-n",
          "-i",
          "-m",
          "-M",
          "-I",
          "-x",
          "-R",
          "-l",
          "--eval",
          "--print",
          "--exec",
          "--command",
          "--require",
          "--import",
          "--init-file",
          "--rcfile",
          "--loader",
          "--run",
          "-s",
          "-o",
          "-O");

  /// Options that hurt with any program which has them.
  private static final Set<String> EVERYWHERE =
      Set.of(
          "--exec",
          "--execute",
          "--command",
          "--pre",
          "--pager",
          "--rsh",
          "--rsh-command",
          "--config",
          "--plugin",
          "--preload",
          "--eval",
          "--init-file",
          "--rcfile",
          "--use-askpass",
          "--compress-program",
          "--use-compress-program",
          "--to-command",
          "--checkpoint-action",
          "--ext-diff",
          "--textconv",
          "--upload-pack",
          "--receive-pack",
          "--open-files-in-pager",
          "--exec-path",
          "--output",
          "--output-file",
          "--output-directory",
          "--info-script",
          "--new-volume-script",
          "--filter",
          "--pre-glob",
          "--hostname-bin",
          "--exec-batch",
          "--unzip-command",
          "--script",
          "--shell",
          "--editor",
          "--diff-program",
          "--files0-from",
          "--absolute-names",
          "--config-env",
          "--git-dir",
          "--work-tree",
          "--index-filter",
          "--extcmd",
          "--tool",
          "--import",
          "--require",
          "--loader",
          "--toolexec",
          "-toolexec",
          "--globalconfig",
          "--userconfig",
          "--script-shell",
          "--node-options",
          "--prefix",
          "--manifest-path",
          "--load",
          "--libdir",
          "--dynamic-linker",
          "--wrapper",
          "-wrapper",
          "-fplugin",
          "-specs",
          "--specs",
          "--proxy-command",
          "--random-source",
          "--reference",
          "--file-prefix",
          "--rename-section",
          "--dump-section");

  private static final Map<String, List<String>> BY_PROGRAM =
      Map.ofEntries(
          options(
              "find",
              "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from"),
          options("fd", "-x -X --exec --exec-batch"),
          options("tar", "-I -F --info-script --to-command --checkpoint-action -P -C --directory"),
          options(
              "git", "-c -O --output -o --paginate --no-index --global --system --file -f -e -E"),
          options("rg", "--pre -f --file"),
          options("grep", "-f --file"),
          options("sort", "-o -T --temporary-directory"),
          options("uniq", ""),
          options("sed", "-i -e -f --in-place --expression --file"),
          options("rsync", "-e --rsh --rsync-path --files-from --daemon"),
          options("zip", "-T -TT --unzip-command"),
          options("gcc", "-B -o -wrapper -fplugin -specs"),
          options("cc", "-B -o -wrapper -fplugin -specs"),
          options("go", "-exec -toolexec -o -overlay -modfile -vettool"),
          options("cargo", "--config -Z -C --manifest-path"),
          options(
              "curl", "-o -O -K -T -F -d --data --upload-file --output --config -c --cookie-jar"),
          options("wget", "-O -o -P -i -e --post-file --use-askpass --output-document --execute"),
          options("make", "-f --file --makefile -C -I --include-dir --eval -E SHELL"),
          options("npm", "-c --call --script-shell --prefix --node-options -g --global"),
          options("npx", "-c --call -p --package"),
          options("pip", "-r --index-url -i --extra-index-url --target -t -e --editable"),
          options("mvn", "-f -s -gs --file --settings --global-settings"),
          options("gradle", "-I --init-script -b -c -p -P -D"),
          options("tcpdump", "-z -w -r"),
          options("nmap", "--script -oN -oX -oG -oA -iL"),
          options("journalctl", "--file --root -D --directory"),
          options("systemctl", "-H -M --host --machine --root --now"),
          options("column", "-f"),
          options("tee", "-a"),
          options("date", "-f -s --set --file"),
          options("diff", "--from-file --to-file -l --paginate"),
          options("split", "--filter"),
          options("shuf", "-o --output --random-source"),
          options("xxd", "-r"),
          options("base64", ""),
          options("jq", "-f --from-file -L --rawfile --slurpfile"),
          options("yq", "-i --inplace -f"),
          options("ps", ""),
          options("pytest", "-p -c -o --rootdir --confcutdir"),
          options("tail", "--pid"),
          options("file", "-f -C -m --files-from --magic-file --compile"),
          options("openssl", "-engine -out -config -provider-path"),
          options("gpg", "--photo-viewer -o --keyserver-options"),
          options("svn", "--diff-cmd --diff3-cmd --editor-cmd --config-option --config-dir"),
          options("hg", "--config --debugger"),
          options("ffmpeg", "-f -filter_complex_script"),
          options("ctags", "--options -o -f"),
          options("tree", "-o -R --fromfile"),
          options("wc", "--files0-from"),
          options("du", "--files0-from -X"),
          options("ip", "-b -batch -force"),
          options("ln", "-t --target-directory"));

  /// Words of `sed` that print or replace and nothing else.
  private static final Pattern SED =
      Pattern.compile(
          "[0-9,$]{0,20}[pd=]|s([/|,#])(?:(?!\\1)[^\\\\\\n]){0,200}\\1(?:(?!\\1)[^\\\\\\n]){0,200}\\1[gip0-9]{0,4}");

  private EscapingOptions() {}

  private static Map.Entry<String, List<String>> options(String program, String options) {
    return Map.entry(program, options.isEmpty() ? List.of() : List.of(options.split(" ")));
  }

  /// Returns whether no rule may allow a program.
  static boolean isRunner(String program) {
    return RUNNERS.contains(program);
  }

  static boolean isInterpreter(String program) {
    return INTERPRETERS.contains(program) || program.matches("(?:python|perl|ruby|lua|php)[0-9.]+");
  }

  /// Returns whether a word makes a program do something else than it is known for.
  ///
  /// @param word an option, as it is written
  static boolean isEscaping(String program, String word) {
    if (isAmong(EVERYWHERE, word)) return true;
    if (isInterpreter(program) && isAmong(INLINE, word)) return true;
    var own = BY_PROGRAM.get(program);
    return own != null && isAmong(own, word);
  }

  /// Returns whether a word that is no option is code for a program.
  static boolean isCode(String program, String word) {
    if (program.equals("sed"))
      return !SED.matcher(word).matches() && !word.matches("[\\w./-]+\\.\\w+");
    if (program.equals("git")) return word.startsWith("!") || word.contains("ext::");
    return program.equals("make") && word.contains("=") || word.contains("ext::");
  }

  private static boolean isAmong(java.util.Collection<String> options, String word) {
    int is = word.indexOf('=');
    var name = is < 0 ? word : word.substring(0, is);
    if (options.contains(name)) return true;
    if (name.startsWith("--")) return name.length() > 3 && isAbbreviated(options, name);
    if (name.length() < 2 || name.charAt(0) != '-') return false;
    // Letters together, and a value behind its letter: `-rfo` and `-oFILE`.
    return options.stream()
        .filter(option -> option.length() == 2 && option.charAt(0) == '-')
        .anyMatch(option -> name.indexOf(option.charAt(1), 1) > 0);
  }

  /// Programs take the beginning of a long option for the whole.
  private static boolean isAbbreviated(java.util.Collection<String> options, String name) {
    return options.stream().anyMatch(option -> option.startsWith(name));
  }
}
