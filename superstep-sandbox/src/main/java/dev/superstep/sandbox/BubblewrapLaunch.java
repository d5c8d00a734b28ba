package dev.superstep.sandbox;

import dev.superstep.sandbox.internal.linux.SyscallFilter;
import dev.superstep.sandbox.internal.process.OrphanProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The words that start a command in namespaces made by bubblewrap. Only what is named here can be
/// seen from within: files outside are not there at all.
final class BubblewrapLaunch {
  private static final String HOME = "/home/sandbox";
  private static final String USER = "1000"; // not that of files of others, which show as 65534
  private final Machine machine;
  private final LimitWords limits;
  private final Filters filters;

  BubblewrapLaunch(Machine machine, LimitWords limits, Filters filters) {
    this.machine = machine;
    this.limits = limits;
    this.filters = filters;
  }

  Launch of(SandboxCommand command, Path directory) throws IOException {
    var marks = OrphanProcesses.fresh();
    var variables = new TreeMap<>(Variables.of(command, HOME, "/tmp"));
    command
        .relay()
        .ifPresent(relay -> variables.putAll(RelayBridge.variables(command.variables())));
    var program =
        Programs.find(command.words().getFirst(), directory, variables.getOrDefault("PATH", ""));
    var protection = Protection.of(command);
    try {
      var words = new ArrayList<>(namespaces());
      words.addAll(system(command.limits().scratchBytes()));
      words.addAll(own(command, directory));
      words.addAll(protection.words());
      command.relay().ifPresent(relay -> words.addAll(RelayBridge.binds(relay)));
      words.addAll(List.of("--remount-ro", "/dev", "--remount-ro", "/"));
      words.addAll(List.of("--uid", USER, "--gid", USER, "--chdir", directory.toString()));
      words.addAll(settings(variables));
      var filter = filter(command);
      if (filter != null) words.addAll(List.of("--seccomp", "3"));
      words.add("--");
      command.relay().ifPresent(_ -> words.addAll(RelayBridge.words(machine)));
      words.addAll(limits.of(command.limits(), marks, true));
      words.add(program.toString());
      words.addAll(command.words().subList(1, command.words().size()));
      return new Launch(
          command.tier(),
          words,
          harmless(variables),
          Path.of("/"),
          marks,
          null,
          filter,
          true,
          protection::close);
    } catch (RuntimeException e) {
      protection.close();
      throw e;
    }
  }

  /// Namespaces leave some things to a filter: sockets to the host of a virtual machine, keys, and
  /// calls that programs have no use for.
  private @Nullable SyscallFilter filter(SandboxCommand command) {
    if (!machine.isNative()) return null;
    return filters.of(new SyscallFilter.Settings(command.isMetadataLocked(), 0, true));
  }

  private List<String> namespaces() {
    return List.of(
        Objects.requireNonNull(machine.programs().bubblewrap()).toString(),
        "--unshare-user",
        "--unshare-all",
        "--disable-userns",
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
        "--hostname",
        "sandbox");
  }

  private static List<String> system(long scratch) throws IOException {
    var words = new ArrayList<String>();
    for (var path : SystemPaths.present(SystemPaths.PROGRAMS).toList()) {
      if (Files.isSymbolicLink(path)) {
        words.addAll(
            List.of("--symlink", Files.readSymbolicLink(path).toString(), path.toString()));
      } else {
        words.addAll(List.of("--ro-bind", path.toString(), path.toString()));
      }
    }
    for (var path : SystemPaths.present(SystemPaths.SETTINGS).toList()) {
      words.addAll(List.of("--ro-bind", path.toRealPath().toString(), path.toString()));
    }
    var size = String.valueOf(scratch);
    words.addAll(List.of("--proc", "/proc", "--dev", "/dev"));
    words.addAll(List.of("--perms", "1777", "--size", size, "--tmpfs", "/dev/shm"));
    words.addAll(List.of("--perms", "1777", "--size", size, "--tmpfs", "/tmp"));
    words.addAll(List.of("--perms", "0700", "--size", size, "--tmpfs", HOME));
    return words;
  }

  /// From the outside in, so that an inner directory may be writable in a readable one, or not in a
  /// writable one.
  private static List<String> own(SandboxCommand command, Path directory) {
    var all = new TreeMap<Path, String>();
    all.put(directory, "--ro-bind");
    for (var path : command.readable()) all.put(Launcher.real(command, path), "--ro-bind");
    for (var path : command.writable()) all.put(Launcher.real(command, path), "--bind");
    return all.entrySet().stream()
        .flatMap(one -> Stream.of(one.getValue(), one.getKey().toString(), one.getKey().toString()))
        .toList();
  }

  /// A variable that changes how programs are loaded is set inside: it would change bubblewrap
  /// itself, outside. The others are not in the words, which every user of the machine may read.
  private static List<String> settings(Map<String, String> variables) {
    return variables.entrySet().stream()
        .filter(one -> changesLoading(one.getKey()))
        .flatMap(one -> Stream.of("--setenv", one.getKey(), one.getValue()))
        .toList();
  }

  private static Map<String, String> harmless(Map<String, String> variables) {
    var all = new TreeMap<>(variables);
    all.keySet().removeIf(BubblewrapLaunch::changesLoading);
    return all;
  }

  private static boolean changesLoading(String name) {
    return name.startsWith("LD_")
        || name.startsWith("GLIBC_")
        || name.startsWith("MALLOC_")
        || name.equals("GCONV_PATH")
        || name.equals("LOCPATH");
  }
}
