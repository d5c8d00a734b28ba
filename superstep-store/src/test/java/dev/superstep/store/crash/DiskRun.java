package dev.superstep.store.crash;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.test.kills.Notes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A process that runs a [FaultyGraph] graph on a disk with faults. Its arguments: what it does,
/// the store's file, the file of notes. `begin` begins the thread, `resume` resumes it; `fill`
/// begins it, fills the disk on the way, and continues when there is room again.
final class DiskRun {
  /// What the second node adds.
  static final int WEIGHT = 20_000_000;

  private static final int PIECE = 4_096;

  private DiskRun() {}

  public static void main(String[] arguments) {
    System.out.println(
        Teller.told(() -> {
          var file = Path.of(arguments[1]);
          var notes = new Notes(Path.of(arguments[2]));
          try (var store = SqliteCheckpointer.open(file)) {
            return switch (arguments[0]) {
              case "begin" -> new FaultyGraph(notes, WEIGHT, () -> {}).told(store);
              case "resume" -> new FaultyGraph(notes, WEIGHT, () -> {}).resumed(store);
              case "fill" -> filled(store, file.resolveSibling("ballast"), notes);
              default -> throw new IllegalArgumentException(arguments[0]);
            };
          }
        }));
    System.out.flush();
  }

  private static String filled(SqliteCheckpointer store, Path ballast, Notes notes)
      throws Exception {
    var troubled = new FaultyGraph(notes, 0, () -> fill(ballast));
    try {
      return troubled.told(store);
    } catch (StoreFailed e) {
      notes.add(e.code() + " " + e.getMessage());
    }
    Files.delete(ballast);
    return troubled.calm().resumed(store);
  }

  private static void fill(Path ballast) {
    try (var out =
        Files.newOutputStream(ballast, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (true) out.write(new byte[PIECE]);
    } catch (IOException _) {
      // It is full.
    }
  }
}
