package dev.superstep.sandbox.internal.linux;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A place where this process may make groups that limit the number of their processes. Immutable.
///
/// In version 2 the groups are threaded ones: only these can take the one thread that is about to
/// start a command, without the rest of this process. For that the group of this process passes the
/// controller on to those below it, as it stays afterwards.
///
/// @param version the version of control groups, 1 or 2
/// @param own the group that this process is in, or the first that can be seen
/// @param limit the name of the file that takes the limit
public record PidsHierarchy(int version, Path own, String limit) {
  private static final String LIMIT = "pids.max";
  private static final String CONTROLLER = "pids";

  /// The one to use: version 1 where that has the controller, else version 2. Each is tried, since
  /// files that look writable may be in a place that is not.
  public static Optional<PidsHierarchy> usable(SystemCalls calls) {
    try {
      var mounts = Files.readAllLines(Path.of("/proc/self/mountinfo"));
      var groups = Files.readAllLines(Path.of("/proc/self/cgroup"));
      return mounted(mounts, groups).stream().filter(one -> one.canHoldThreads(calls)).findFirst();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /// Those that are mounted, whether usable or not.
  ///
  /// @param mounts the lines of `/proc/self/mountinfo`
  /// @param groups the lines of `/proc/self/cgroup`
  static List<PidsHierarchy> mounted(List<String> mounts, List<String> groups) {
    var first = new ArrayList<PidsHierarchy>();
    var second = new ArrayList<PidsHierarchy>();
    for (var line : mounts) {
      var parts = line.split(" - ", 2);
      var before = parts[0].split(" ", -1);
      if (parts.length != 2 || before.length < 5) continue;
      var after = parts[1].split(" ", -1);
      var mount = new Mount(unescaped(before[3]), unescaped(before[4]));
      if (after[0].equals("cgroup2")) {
        second.add(new PidsHierarchy(2, mount.at(group(groups, "")), LIMIT));
      } else if (after[0].equals("cgroup") && has(after[after.length - 1])) {
        first.add(new PidsHierarchy(1, mount.at(group(groups, CONTROLLER)), LIMIT));
      }
    }
    first.addAll(second);
    return first;
  }

  private static boolean has(String names) {
    return List.of(names.split(",", -1)).contains(CONTROLLER);
  }

  /// The path of this process among the groups of a controller.
  private static String group(List<String> groups, String controller) {
    for (var line : groups) {
      var parts = line.split(":", 3);
      if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains(controller)) {
        return parts[2];
      }
    }
    return "/";
  }

  /// A part of the hierarchy that is mounted somewhere.
  private record Mount(String root, String point) {
    Path at(String group) {
      var all = Path.of(point);
      // What is above the mounted part cannot be seen; a container has only its own part.
      boolean isInside = !(root + "/" + group).contains("/..") && Path.of(group).startsWith(root);
      var found = isInside ? all.resolve(Path.of(root).relativize(Path.of(group))) : all;
      return Files.isDirectory(found) ? found : all;
    }
  }

  /// Spaces and the like are in octal there.
  private static String unescaped(String text) {
    return text.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
  }

  boolean canHoldThreads(SystemCalls calls) {
    if (!Files.isWritable(own.resolve(threads()))) return false;
    try {
      if (version == 2) passController();
      var tried = PidsGroup.make(this, 1);
      boolean isGood = tried.canHoldThreads(calls);
      tried.end();
      return isGood;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void passController() throws IOException {
    var control = own.resolve("cgroup.subtree_control");
    if (Files.readString(control).strip().matches("(.* )?pids( .*)?")) return;
    write(control, "+" + CONTROLLER);
  }

  /// The name of the file that takes threads.
  String threads() {
    return version == 1 ? "tasks" : "cgroup.threads";
  }

  /// The name of the file that lists what is in a group: processes, or in a threaded group their
  /// threads.
  String members() {
    return version == 1 ? "cgroup.procs" : "cgroup.threads";
  }

  /// Not by a channel: those do not write for a thread that is interrupted.
  static void write(Path file, String text) throws IOException {
    try (var out = new FileOutputStream(file.toFile())) {
      out.write(text.getBytes(StandardCharsets.US_ASCII));
    }
  }
}
