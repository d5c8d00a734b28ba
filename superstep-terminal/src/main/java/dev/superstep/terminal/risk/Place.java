package dev.superstep.terminal.risk;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A path of a command, and the part of the machine that it lies in. Compared as text; symbolic
/// links are not followed. Immutable.
///
/// @param path absolute and normalized, up to the first part that is not known
/// @param isExact whether the path is known to its end
record Place(Area area, String path, boolean isExact) {
  enum Area {
    /// `/` or all in it.
    ROOT,
    /// A directory that the system consists of, such as `/etc`, or all in it.
    SYSTEM_TOP,
    /// A whole home directory, or all in it.
    HOME,
    SYSTEM,
    /// Data of the system, such as `/var/lib/x`.
    SYSTEM_DATA,
    HOME_INSIDE,
    /// The whole workspace, or all in it.
    WORKSPACE,
    WORKSPACE_INSIDE,
    TEMPORARY,
    /// `/dev/null` and such.
    SAFE_DEVICE,
    DEVICE,
    OUTSIDE,
    UNKNOWN
  }

  private static final Set<String> TOPS =
      Set.of(
          "/etc",
          "/usr",
          "/bin",
          "/sbin",
          "/lib",
          "/lib32",
          "/lib64",
          "/libx32",
          "/boot",
          "/var",
          "/opt",
          "/root",
          "/home",
          "/dev",
          "/proc",
          "/sys",
          "/srv",
          "/run",
          "/mnt",
          "/media",
          "/Users",
          "/Applications",
          "/System",
          "/Library",
          "/usr/bin",
          "/usr/lib",
          "/usr/sbin",
          "/usr/local",
          "/usr/share",
          "/usr/lib64",
          "/var/lib",
          "/var/log",
          "/var/www",
          "/System32",
          "/snap",
          "/private",
          "/Volumes");
  private static final List<String> SYSTEM =
      List.of(
          "/etc/",
          "/usr/",
          "/bin/",
          "/sbin/",
          "/lib",
          "/boot/",
          "/proc/",
          "/sys/",
          "/System/",
          "/Library/",
          "/Applications/");
  private static final List<String> DATA =
      List.of("/var/", "/opt/", "/srv/", "/run/", "/mnt/", "/media/", "/snap/", "/Volumes/");
  private static final Pattern SAFE =
      Pattern.compile("/dev/(null|zero|full|u?random|tty|std(in|out|err)|fd/\\d+|ptmx)");
  private static final Pattern GLOB = Pattern.compile("[*?\\[{]|[@!+]\\(");
  private static final Pattern HOMES = Pattern.compile("/(home|Users)/[^/]+");

  /// Finds the place of a word.
  ///
  /// @param directory what a relative path begins at; `null` if that is not known
  static Place of(ResolvedWord word, @Nullable String directory, RiskContext context) {
    var value = word.value();
    int unknown = value.indexOf(ResolvedWord.UNKNOWN);
    var known = unknown < 0 ? value : value.substring(0, unknown);
    boolean isExact = unknown < 0;
    if (!known.startsWith("/")) {
      if (directory == null || (!isExact && known.isEmpty())) {
        return new Place(Area.UNKNOWN, known, false);
      }
      known = directory + "/" + known;
    } else if (!isExact && known.length() == 1) {
      return new Place(Area.UNKNOWN, known, false);
    }
    boolean isContents = false;
    var parts = new ArrayDeque<String>();
    for (var part : known.split("/", -1)) {
      if (part.isEmpty() || part.equals(".")) continue;
      if (part.equals("..")) {
        parts.pollLast();
        continue;
      }
      if ((word.isPattern() || !isExact) && GLOB.matcher(part).find()) {
        isContents = part.replaceAll("[*?.!\\[\\]{},]", "").isEmpty() || parts.isEmpty();
        isExact = false;
        if (!isContents) parts.add(part);
        break;
      }
      parts.add(part);
    }
    var path = "/" + String.join("/", parts);
    return new Place(area(path, isExact || isContents, context), path, isExact);
  }

  private static Area area(String path, boolean isWhole, RiskContext context) {
    var workspace = context.workspace().toString();
    var home = context.home().toString();
    if (path.equals("/")) return isWhole ? Area.ROOT : Area.OUTSIDE;
    if (path.equals(home) && isWhole) return Area.HOME;
    if (TOPS.contains(path) && isWhole && !path.equals(workspace)) return Area.SYSTEM_TOP;
    if (path.equals(workspace)) return isWhole ? Area.WORKSPACE : Area.WORKSPACE_INSIDE;
    if (path.startsWith(workspace + "/")) return Area.WORKSPACE_INSIDE;
    if (HOMES.matcher(path).matches() && isWhole) return Area.HOME;
    if (SAFE.matcher(path).matches()) return Area.SAFE_DEVICE;
    if (path.startsWith("/dev/shm/") || isTemporary(path)) return Area.TEMPORARY;
    if (path.startsWith("/dev/")) return Area.DEVICE;
    if (path.startsWith(home + "/") || path.startsWith("/root/")) return Area.HOME_INSIDE;
    if (path.startsWith("/home/") || path.startsWith("/Users/")) return Area.HOME_INSIDE;
    if (startsWith(path, SYSTEM)) return Area.SYSTEM;
    return startsWith(path, DATA) ? Area.SYSTEM_DATA : Area.OUTSIDE;
  }

  private static boolean isTemporary(String path) {
    return path.equals("/tmp") || path.startsWith("/tmp/") || path.startsWith("/var/tmp/");
  }

  private static boolean startsWith(String path, List<String> beginnings) {
    return beginnings.stream().anyMatch(path::startsWith);
  }

  boolean isWiping() {
    return switch (area) {
      case ROOT, SYSTEM_TOP, HOME -> true;
      case SYSTEM,
          SYSTEM_DATA,
          HOME_INSIDE,
          WORKSPACE,
          WORKSPACE_INSIDE,
          TEMPORARY,
          SAFE_DEVICE,
          DEVICE,
          OUTSIDE,
          UNKNOWN ->
          false;
    };
  }

  boolean isSystem() {
    return (isWiping() && area != Area.HOME) || area == Area.SYSTEM || area == Area.DEVICE;
  }

  boolean isOutside() {
    return isWiping()
        || switch (area) {
          case SYSTEM, SYSTEM_DATA, HOME_INSIDE, DEVICE, OUTSIDE -> true;
          case ROOT,
              SYSTEM_TOP,
              HOME,
              WORKSPACE,
              WORKSPACE_INSIDE,
              TEMPORARY,
              SAFE_DEVICE,
              UNKNOWN ->
              false;
        };
  }
}
