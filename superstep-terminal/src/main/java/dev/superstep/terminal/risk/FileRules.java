package dev.superstep.terminal.risk;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Judges what a command does to a file by where the file is. One thread at a time.
final class FileRules {
  private static final Pattern DISK =
      Pattern.compile(
          "/dev/(sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|dm-|md|loop|mapper/|sr|fd\\d|mem|kmem|port).*");
  private static final Pattern HARMLESS =
      Pattern.compile(
          "/(usr/(share|include|lib|local/share)|proc/(cpuinfo|meminfo|version|uptime|loadavg|mounts"
              + "|stat|partitions|filesystems|self/[a-z]+))(/.*)?|/etc/(os-release|lsb-release|issue"
              + "|hostname|timezone|shells|services|protocols|mime\\.types|debian_version)");

  private final RiskContext context;
  private final Report report;

  FileRules(RiskContext context, Report report) {
    this.context = context;
    this.report = report;
  }

  Place place(ResolvedWord word, ShellState state) {
    return Place.of(word, state.directory, context);
  }

  /// A file is read.
  void read(ResolvedWord word, ShellState state) {
    if (word.is("-") || word.value().startsWith("/dev/fd/")) return;
    report.fact(Fact.Kind.READS, word.value(), word.span());
    var place = place(word, state);
    secret(word, place);
    if (place.area() == Place.Area.DEVICE && DISK.matcher(place.path()).matches()) {
      report.high(
          RiskAxis.READS_SECRET, "reads-device", word.span(), "Reads a device with all it holds.");
    } else if (place.isOutside() && !HARMLESS.matcher(place.path()).matches()) {
      report.medium(
          RiskAxis.OUTSIDE_WORKSPACE,
          "reads-outside",
          word.span(),
          "Reads a file outside the workspace.");
    }
    if (place.path().startsWith("/dev/tcp/") || place.path().startsWith("/dev/udp/")) socket(word);
  }

  private void secret(ResolvedWord word, Place place) {
    if (SensitivePaths.isSecret(place.path()) || SensitivePaths.isSecret("/" + word.value())) {
      report.high(
          RiskAxis.READS_SECRET, "reads-secret", word.span(), "Reads keys, passwords or tokens.");
    } else if (SensitivePaths.isPrivate(place.path())) {
      report.medium(
          RiskAxis.READS_SECRET,
          "reads-private",
          word.span(),
          "Reads a file that may hold secrets.");
    }
  }

  private void socket(ResolvedWord word) {
    report.fact(Fact.Kind.CONNECTS, word.value(), word.span());
    report.high(
        RiskAxis.NETWORK_OUT, "raw-socket", word.span(), "Opens a connection through `/dev/tcp`.");
  }

  /// A file is written or made.
  ///
  /// @param isTruncating whether it loses what it has
  void write(ResolvedWord word, ShellState state, boolean isTruncating) {
    if (word.is("-") || word.value().startsWith("/dev/fd/")) return;
    var place = place(word, state);
    if (place.area() == Place.Area.SAFE_DEVICE) return;
    report.fact(Fact.Kind.WRITES, word.value(), word.span());
    if (place.path().startsWith("/dev/tcp/") || place.path().startsWith("/dev/udp/")) {
      socket(word);
    } else if (place.area() == Place.Area.DEVICE) {
      device(word, place);
    } else if (SensitivePaths.isRunLater(place.path())) {
      report.high(
          RiskAxis.PERSISTENCE,
          "writes-startup-file",
          word.span(),
          "Writes a file that is run or obeyed later, without a question.");
    } else if (SensitivePaths.isSecret(place.path())) {
      report.high(
          RiskAxis.OVERWRITES, "writes-secret", word.span(), "Writes a file of keys or passwords.");
    } else if (place.path().matches(".*/\\.[a-z]*_history|/var/log/.*") && isTruncating) {
      report.high(
          RiskAxis.SYSTEM, "hides-traces", word.span(), "Removes the record of what was done.");
    } else if (place.isSystem()) {
      report.high(
          RiskAxis.OVERWRITES, "writes-system", word.span(), "Writes a file of the system.");
    } else if (place.isOutside()) {
      report.medium(
          RiskAxis.OUTSIDE_WORKSPACE,
          "writes-outside",
          word.span(),
          "Writes a file outside the workspace.");
    } else if (place.area() == Place.Area.UNKNOWN && isTruncating) {
      report.medium(
          RiskAxis.OVERWRITES, "writes-unknown", word.span(), "Writes a file that is not known.");
    }
  }

  private void device(ResolvedWord word, Place place) {
    if (!DISK.matcher(place.path()).matches()) {
      report.medium(
          RiskAxis.SYSTEM, "writes-device", word.span(), "Writes to a device of the machine.");
      return;
    }
    report.high(RiskAxis.DESTROYS, "writes-disk", word.span(), "Overwrites a disk or its memory.");
  }

  /// All that a file holds is cut off.
  void empty(ResolvedWord word, ShellState state) {
    var area = place(word, state).area();
    if (area != Place.Area.SYSTEM_DATA && area != Place.Area.OUTSIDE) return;
    report.high(
        RiskAxis.DESTROYS,
        "empties-outside",
        word.span(),
        "Empties a file that belongs to something else.");
  }

  /// Files are deleted after they were copied or packed.
  void takeAway(ResolvedWord word, ShellState state) {
    var place = place(word, state);
    if (!place.isWiping() && !place.isSystem()) return;
    report.high(
        RiskAxis.DESTROYS,
        "moves-system",
        word.span(),
        "Moves away files of the system or a home.");
  }

  boolean isDisk(ResolvedWord word, ShellState state) {
    return DISK.matcher(place(word, state).path()).matches();
  }

  /// A file, or with all below it a directory, is deleted.
  ///
  /// @param word `null` if the names are not in the command
  void delete(@Nullable ResolvedWord word, ResolvedWord by, ShellState state, boolean isRecursive) {
    if (word == null) {
      if (isRecursive) recursive(by, "Deletes directories that are not named in the command.");
      return;
    }
    report.fact(Fact.Kind.DELETES, word.value(), word.span());
    var place = place(word, state);
    if (place.isWiping() && isRecursive) {
      report.forbidden(
          RiskAxis.DESTROYS,
          "wipes-system",
          word.span(),
          "Deletes the system, or a whole home directory.");
    } else if (isRecursive) {
      recursive(
          word,
          word.isKnown()
              ? "Deletes a directory with all that is in it."
              : "Deletes a directory whose name is not known before.");
    } else if (place.isSystem() || place.isWiping()) {
      report.high(RiskAxis.DESTROYS, "deletes-system", word.span(), "Deletes files of the system.");
    } else if (SensitivePaths.isRunLater(place.path()) || SensitivePaths.isSecret(place.path())) {
      report.high(RiskAxis.DESTROYS, "deletes-settings", word.span(), "Deletes keys or settings.");
    } else if (place.isExact() && place.path().lastIndexOf('/') == 0 && place.isOutside()) {
      report.high(
          RiskAxis.DESTROYS, "deletes-system", word.span(), "Deletes a file of the system.");
    } else if (place.area() == Place.Area.WORKSPACE) {
      report.high(
          RiskAxis.DESTROYS, "deletes-all", word.span(), "Deletes all files of the workspace.");
    }
    if (place.isOutside()) {
      report.medium(
          RiskAxis.OUTSIDE_WORKSPACE,
          "deletes-outside",
          word.span(),
          "Deletes files outside the workspace.");
    }
  }

  private void recursive(ResolvedWord word, String reason) {
    report.high(RiskAxis.DESTROYS, "deletes-recursively", word.span(), reason);
  }

  /// Names of files are listed.
  void list(ResolvedWord word, ShellState state, boolean isRecursive) {
    report.fact(Fact.Kind.READS, word.value(), word.span());
    var place = place(word, state);
    if (isRecursive && place.isOutside()) {
      report.medium(
          RiskAxis.OUTSIDE_WORKSPACE,
          "lists-outside",
          word.span(),
          "Searches directories outside the workspace.");
    }
  }
}
