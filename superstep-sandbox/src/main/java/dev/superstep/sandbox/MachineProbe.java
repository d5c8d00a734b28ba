package dev.superstep.sandbox;

import dev.superstep.sandbox.internal.process.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Tries each tier on this machine: runs a command in it that does what the tier must refuse, and
/// looks at what came of that.
final class MachineProbe {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String SECRET = "superstep-probe-secret";

  /// Each line of its output is a thing that was tried, after `held` or `open`.
  private static final String SCRIPT =
      """
      tell() { if [ "$2" = 0 ]; then echo "open $1"; else echo "held $1"; fi; }
      cat "$1/secret" 2>/dev/null; tell 'reading a file outside' $?
      (echo x >"$1/new") 2>/dev/null; tell 'writing a file outside' $?
      (ln "$1/secret" ./hard) 2>/dev/null; tell 'a hard link to a file outside' $?
      chmod 777 "$1/secret" 2>/dev/null; tell "$6" $?
      kill -0 "$2" 2>/dev/null; tell 'signals to this program' $?
      (cat "/proc/$2/environ" >/dev/null) 2>/dev/null; tell 'variables of this program' $?
      (: </dev/tty) 2>/dev/null; tell 'the terminal' $?
      found=1; for i in 3 4 5 6 7 8 9; do if (: <&$i) 2>/dev/null; then found=0; fi; done
      tell 'descriptors of this program' $found
      if [ -x /usr/bin/unshare ]; then
        /usr/bin/unshare -r true 2>/dev/null; tell 'namespaces of users' $?
      fi
      if [ -x /usr/bin/perl ]; then
        /usr/bin/perl -e "$4" "$3" 2>/dev/null; tell 'connections to this machine' $?
      elif [ -x /usr/bin/python3 ]; then
        /usr/bin/python3 -I -c "$5" "$3" 2>/dev/null; tell 'connections to this machine' $?
      fi
      echo done
      """;

  private static final String MODE = "changing the mode of a file outside";
  private static final String WHERE_LOCKED = ", for commands that lock metadata";

  private static final String PERL =
      "use Socket; socket(S, PF_INET, SOCK_STREAM, 0) or exit 1;"
          + " exit(connect(S, sockaddr_in($ARGV[0], INADDR_LOOPBACK)) ? 0 : 1)";

  private static final String PYTHON =
      "import socket,sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])), 2)";

  private final Machine machine;

  MachineProbe(Machine machine) {
    this.machine = machine;
  }

  SandboxProbe run() throws InterruptedException {
    var system =
        "%s %s %s"
            .formatted(
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch"));
    return new SandboxProbe(system, List.of(process(), landlock(), bubblewrap()));
  }

  private SandboxProbe.TierReport process() {
    var facts = new ArrayList<String>();
    var gaps = new ArrayList<String>();
    gaps.add("files, the network and other processes of the user are open");
    if (machine.isNative()) facts.add("a session of its own, exactly three descriptors");
    else if (machine.programs().setsid() != null) facts.add("a session of its own, by setsid");
    else gaps.add("no session of its own: it may have the terminal of this program");
    limits(facts, gaps);
    return new SandboxProbe.TierReport(Tier.PROCESS, true, facts, List.of(), gaps, List.of());
  }

  private void limits(List<String> facts, List<String> gaps) {
    if (machine.programs().prlimit() != null) {
      facts.add("limits by prlimit: processor time, file size, no core files");
      if (!machine.isRoot() && machine.group() == null) {
        facts.add("a limit on processes, by prlimit");
      }
    } else if (machine.programs().shell() != null) {
      facts.add("limits by ulimit: processor time, file size, no core files");
    } else {
      gaps.add("no limits on processor time, file size and processes");
    }
    var group = machine.group();
    if (group != null) {
      facts.add("a limit on processes, by control groups of version " + group.version());
    } else if (machine.isRoot()) {
      gaps.add(
          "no limit on processes: root has none, and no control group with a limit on processes can"
              + " be made (version 1 or 2)");
    } else if (machine.programs().prlimit() == null) {
      gaps.add("no limit on processes: there is no prlimit");
    }
  }

  private SandboxProbe.TierReport landlock() throws InterruptedException {
    var missing = new ArrayList<String>();
    if (!machine.isNative()) missing.add(machine.nativeMissing());
    else if (machine.landlock() < 1) {
      missing.add("the kernel has no Landlock, or it is not in use (Linux 5.13, lsm=landlock)");
    }
    if (!missing.isEmpty()) return unavailable(Tier.LANDLOCK, missing);
    var facts =
        new ArrayList<>(List.of("Landlock version " + machine.landlock(), "seccomp filter"));
    var gaps = new ArrayList<String>();
    limits(facts, gaps);
    gaps.add("changes of owner, mode and times outside, for commands that do not lock metadata");
    gaps.add("protected names in writable directories: changes are reported, not refused");
    gaps.add("names, sizes and owners of files outside can be seen");
    if (machine.landlock() < 6) gaps.add("orphans that hide their marks; signals outside in part");
    return tried(Tier.LANDLOCK, facts, gaps);
  }

  private SandboxProbe.TierReport bubblewrap() throws InterruptedException {
    var program = machine.programs().bubblewrap();
    if (program == null) {
      var isLinux = System.getProperty("os.name").equals("Linux");
      return unavailable(
          Tier.BUBBLEWRAP,
          List.of(
              isLinux
                  ? "the program bwrap is not installed (for example: apt-get install bubblewrap)"
                  : "bubblewrap is for Linux"));
    }
    var facts = new ArrayList<String>();
    facts.add(program + " " + version(program));
    var gaps = new ArrayList<String>();
    limits(facts, gaps);
    facts.add(
        RelayBridge.isAvailable(machine)
            ? "a network by relay"
            : "no network: " + RelayBridge.missing());
    if (machine.isNative()) facts.add("seccomp filter");
    else gaps.add("sockets of no namespace, such as those to the host of a virtual machine");
    gaps.add("protected names deeper than a writable directory itself");
    return tried(Tier.BUBBLEWRAP, facts, gaps);
  }

  private static String version(Path program) {
    try {
      var process = new ProcessBuilder(program.toString(), "--version").start();
      try (var out = process.inputReader()) {
        var line = out.readLine();
        return line == null ? "of unknown version" : line.replace("bubblewrap ", "");
      }
    } catch (IOException e) {
      return "of unknown version";
    }
  }

  private static SandboxProbe.TierReport unavailable(Tier tier, List<String> missing) {
    return new SandboxProbe.TierReport(tier, false, List.of(), List.of(), List.of(), missing);
  }

  private SandboxProbe.TierReport tried(Tier tier, List<String> facts, List<String> gaps)
      throws InterruptedException {
    var held = new ArrayList<String>();
    var missing = new ArrayList<String>();
    try {
      var folder = PrivateFiles.folder("superstep-probe-");
      try {
        attempt(tier, folder, held, missing);
      } finally {
        PrivateFiles.delete(folder);
      }
    } catch (IOException | SandboxError e) {
      missing.add("a command could not be run: " + e.getMessage());
    }
    return new SandboxProbe.TierReport(tier, missing.isEmpty(), facts, held, gaps, missing);
  }

  private void attempt(Tier tier, Path folder, List<String> held, List<String> missing)
      throws IOException, InterruptedException {
    var inside = Files.createDirectory(folder.resolve("inside"));
    var outside = Files.createDirectory(folder.resolve("outside"));
    var secret = Files.writeString(outside.resolve("secret"), SECRET);
    var modes = permissions(secret);
    try (var listener = new ProbeListener()) {
      var command =
          SandboxCommand.of(
                  tier,
                  inside,
                  "sh",
                  "-c",
                  SCRIPT,
                  "probe",
                  outside.toString(),
                  String.valueOf(ProcessHandle.current().pid()),
                  String.valueOf(listener.port()),
                  PERL,
                  PYTHON,
                  tier == Tier.LANDLOCK ? MODE + WHERE_LOCKED : MODE)
              .writing(inside)
              .timeout(PATIENCE);
      if (tier == Tier.LANDLOCK) command = command.lockingMetadata();
      var result = new Sandbox(machine, null).runUnchecked(command, () -> false);
      judge(result, held, missing);
    }
    boolean isChanged =
        Files.exists(outside.resolve("new"))
            || Files.exists(inside.resolve("hard"))
            || !permissions(secret).equals(modes);
    if (isChanged) missing.add("a probe has changed files outside");
  }

  private static Set<PosixFilePermission> permissions(Path file) throws IOException {
    return new TreeSet<>(Files.getPosixFilePermissions(file));
  }

  private static void judge(SandboxResult result, List<String> held, List<String> missing) {
    var text = result.out().text();
    for (var line : text.lines().toList()) {
      if (line.startsWith("held ")) held.add(line.substring("held ".length()));
      if (line.startsWith("open ")) missing.add("a probe was not refused: " + line.substring(5));
    }
    if (text.contains(SECRET)) missing.add("a probe has read a file outside");
    if (!text.endsWith("done\n")) {
      missing.add(
          "the probe did not run to its end (%s): %s"
              .formatted(result.ended(), result.err().text().strip()));
    }
  }
}
