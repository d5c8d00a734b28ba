package dev.superstep.terminal.risk;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the command that a program such as `sudo`, `env` or `xargs` runs.
final class Wrappers {
  /// A program that runs its arguments.
  ///
  /// @param options those that take a value
  /// @param skipped operands before the command, such as the time of `timeout`
  /// @param isText whether the arguments are joined and read as shell text
  private record Wrapper(Map<String, Program.Option> options, int skipped, boolean isText) {}

  /// A command inside another.
  ///
  /// @param words empty if there is none
  /// @param isText whether they are to be joined and parsed
  record Inner(List<ResolvedWord> words, Arguments arguments, boolean isText) {}

  private static final Map<String, Wrapper> WRAPPERS = new HashMap<>();

  static {
    add("sudo", "-u -g -h -p -C -T -R -D -U -r -t --user --group --host --prompt --chdir", 0);
    add("doas", "-u -C", 0);
    add(
        "nohup chronic fakeroot builtin time setsid stdbuf rlwrap caffeinate dbus-run-session",
        "-f -o -i -e",
        0);
    add("command exec", "-a", 0);
    add("busybox toybox", "", 0);
    add("timeout gtimeout", "-s -k --signal --kill-after", 1);
    add("nice ionice", "-n -c -p --adjustment", 0);
    add("taskset chrt trickle", "-d -u", 1);
    add(
        "xargs gxargs",
        "-I -n -P -L -d -a -E -s --max-args --max-procs --max-lines --delimiter --arg-file"
            + " --replace=",
        0);
    add("flock", "-w -E --timeout", 1);
    add("strace ltrace", "-o -p -e -s -u -a -E", 0);
    add(
        "unshare nsenter firejail bwrap proxychains proxychains4 torsocks torify xvfb-run"
            + " systemd-run",
        "-t -S -G -u -p -n -s --unit --slice",
        0);
    add("runuser pkexec", "-u --user -s -g", 0);
    add("gosu su-exec chroot sg", "", 1);
    add("unbuffer setarch linux64 linux32 i386 x86_64 catchsegv eatmydata cpulimit", "-l -p -e", 0);
    text("watch", "-n -d --interval --equexit -q", 0);
    text(
        "parallel sem",
        "-j -I -a -n -N -L -P -S --jobs --delay --timeout --arg-file --colsep --retries --joblog -d"
            + " --max-args --tmpdir --results",
        0);
    text("eval", "", 0);
  }

  private Wrappers() {}

  private static void add(String names, String options, int skipped) {
    put(names, options, new Wrapper(Map.of(), skipped, false));
  }

  private static void text(String names, String options, int skipped) {
    put(names, options, new Wrapper(Map.of(), skipped, true));
  }

  private static void put(String names, String options, Wrapper like) {
    var values = new HashMap<String, Program.Option>();
    for (var option : options.split(" ", 0)) {
      boolean isOptional = option.endsWith("=");
      var name = isOptional ? option.substring(0, option.length() - 1) : option;
      var role = isOptional ? "inplace" : "value";
      if (!name.isEmpty()) {
        values.put(name, new Program.Option(name, role, Program.Danger.NONE));
      }
    }
    var wrapper = new Wrapper(Map.copyOf(values), like.skipped(), like.isText());
    for (var name : names.split(" ", 0)) WRAPPERS.put(name, wrapper);
  }

  /// The command inside a call; `null` if the program runs none.
  static @Nullable Inner inner(Call call) {
    if (call.name().equals("env")) return environment(call);
    var wrapper = WRAPPERS.get(call.name());
    if (wrapper == null) return null;
    var read = Arguments.read(wrapper.options(), call.arguments(), true);
    var words = read.operands();
    int from = Math.min(wrapper.skipped(), words.size());
    // `sudo A=1 x` sets a variable for the program.
    while (call.name().equals("sudo") && from < words.size() && isAssignment(words.get(from))) {
      from++;
    }
    words = words.subList(from, words.size());
    if (call.name().equals("parallel")) words = untilSources(words);
    return new Inner(List.copyOf(words), read, wrapper.isText());
  }

  // What stands behind `:::` are inputs, which become arguments.
  private static List<ResolvedWord> untilSources(List<ResolvedWord> words) {
    var all = new ArrayList<ResolvedWord>();
    for (var word : words) {
      if (!word.value().startsWith(":::")) all.add(word);
    }
    return all;
  }

  private static Inner environment(Call call) {
    var options = new HashMap<String, Program.Option>();
    for (var name : List.of("-u", "-C", "-S", "--unset", "--chdir", "--split-string")) {
      options.put(name, new Program.Option(name, "value", Program.Danger.NONE));
    }
    var read = Arguments.read(options, call.arguments(), true);
    var words = new ArrayList<ResolvedWord>(read.values("-S"));
    words.addAll(read.values("--split-string"));
    boolean isText = !words.isEmpty();
    int from = 0;
    while (from < read.operands().size() && isAssignment(read.operands().get(from))) from++;
    words.addAll(read.operands().subList(from, read.operands().size()));
    return new Inner(words, read, isText);
  }

  static boolean isAssignment(ResolvedWord word) {
    return word.value().matches("(?s)[A-Za-z_][A-Za-z0-9_]*=.*");
  }

  static boolean isWrapper(String name) {
    return name.equals("env") || WRAPPERS.containsKey(name);
  }
}
