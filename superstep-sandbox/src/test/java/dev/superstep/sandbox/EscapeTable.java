package dev.superstep.sandbox;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/// Runs every case in every tier and says what was held. A program of its own, so that it can run
/// as another user; needs nothing but the JDK.
final class EscapeTable {
  static final String HELD = "held";
  static final String OPEN = "open";
  private static final String SECRET = "superstep-secret-7c1f";

  /// A column: a tier with settings.
  enum Column {
    T0(Tier.PROCESS, false),
    T1(Tier.LANDLOCK, false),
    T1_LOCKED(Tier.LANDLOCK, true),
    T2(Tier.BUBBLEWRAP, false);

    final Tier tier;
    final boolean isLocked;

    Column(Tier tier, boolean isLocked) {
      this.tier = tier;
      this.isLocked = isLocked;
    }
  }

  record Row(EscapeCase escape, Map<Column, String> seen) {}

  private EscapeTable() {}

  public static void main(String[] arguments) throws Exception {
    System.out.print(text(run(Sandbox.open(), (_, _) -> true)));
  }

  static List<Row> run(Sandbox sandbox, BiPredicate<EscapeCase, Column> isWanted)
      throws IOException, InterruptedException {
    var rows = new ArrayList<Row>();
    for (var escape : EscapeCase.ALL) {
      var seen = new TreeMap<Column, String>();
      for (var column : Column.values()) {
        if (!isWanted.test(escape, column)) continue;
        if (!sandbox.machine().isAvailable(column.tier)) seen.put(column, "not available");
        else seen.put(column, run(sandbox, escape, column));
      }
      rows.add(new Row(escape, seen));
    }
    return rows;
  }

  private static String run(Sandbox sandbox, EscapeCase escape, Column column)
      throws IOException, InterruptedException {
    var folder = Files.createTempDirectory("superstep-escape-");
    var inside = Files.createDirectory(folder.resolve("inside"));
    var outside = Files.createDirectory(folder.resolve("outside"));
    Files.createDirectory(outside.resolve("sub"));
    Files.writeString(outside.resolve("secret"), SECRET);
    try (var listeners = escape.isOfNetwork() ? EscapeListeners.open(outside) : null) {
      var before = print(outside);
      var words =
          List.of(
              "sh",
              "-c",
              escape.script(),
              "escape",
              outside.toString(),
              String.valueOf(ProcessHandle.current().pid()),
              String.valueOf(listeners == null ? 9 : listeners.tcp()),
              String.valueOf(listeners == null ? 9 : listeners.udp()));
      var command =
          SandboxCommand.of(column.tier, inside, words)
              .writing(inside)
              .protecting(ProtectedNames.none())
              .limits(ProcessLimits.standard().fileBytes(1 << 20))
              .timeout(Duration.ofSeconds(60));
      var result = sandbox.run(column.isLocked ? command.lockingMetadata() : command);
      var said = result.out().text() + result.err().text();
      boolean isOut =
          result.out().text().contains("LEAK")
              || result.out().text().contains(SECRET)
              || said.contains("Syntax error")
              || !print(outside).equals(before)
              || (listeners != null && listeners.heard() > 0);
      return isOut ? OPEN : HELD;
    } finally {
      delete(folder);
    }
  }

  private static String print(Path folder) throws IOException {
    var all = new TreeMap<String, String>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path one, BasicFileAttributes attributes)
              throws IOException {
            return add(one, attributes);
          }

          @Override
          public FileVisitResult visitFile(Path one, BasicFileAttributes attributes)
              throws IOException {
            return add(one, attributes);
          }

          private FileVisitResult add(Path one, BasicFileAttributes attributes) throws IOException {
            all.put(
                folder.relativize(one).toString(),
                "%s %s %s %s"
                    .formatted(
                        Files.getAttribute(one, "unix:mode"),
                        Files.getAttribute(one, "unix:uid"),
                        attributes.lastModifiedTime(),
                        attributes.isRegularFile() ? Files.readString(one) : ""));
            return FileVisitResult.CONTINUE;
          }
        });
    return all.toString();
  }

  private static void delete(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      for (var one : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(one);
      }
    }
  }

  static String text(List<Row> rows) {
    var text = new StringBuilder("| threat | case | T0 | T1 | T1, metadata locked | T2 |\n");
    text.append("|---|---|---|---|---|---|\n");
    for (var row : rows) {
      text.append("| %s | %s |".formatted(row.escape().threat(), row.escape().name()));
      for (var column : Column.values()) text.append(" %s |".formatted(row.seen().get(column)));
      text.append('\n');
    }
    return text.toString();
  }
}
