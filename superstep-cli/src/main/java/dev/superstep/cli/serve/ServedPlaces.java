package dev.superstep.cli.serve;

import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.UsageError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Finds what can be served in a folder: the folder itself, its texts, or what its folders hold.
final class ServedPlaces {
  private static final int PLACES_MAX = 1_000;
  private static final String TEXT = ".rag";

  private ServedPlaces() {}

  /// The programs and texts under a path that the user named.
  ///
  /// @throws UsageError if there is none
  static List<Path> in(Path named) {
    if (isText(named)) return List.of(named);
    if (!Files.isDirectory(named)) {
      throw new UsageError(
          "program.missing-folder",
          "There is no folder or .rag file " + named + ". Check the path.");
    }
    var own = own(named);
    if (!own.isEmpty()) return own;
    var inner = new ArrayList<Path>();
    for (var folder : list(named)) if (Files.isDirectory(folder)) inner.addAll(own(folder));
    if (!inner.isEmpty()) return inner;
    throw new UsageError(
        "serve.nothing",
        ("Neither %s nor a folder in it has a %s or a .rag file, so there is nothing to serve. "
                + "Name another folder, or make one: superstep new NAME")
            .formatted(named, ProgramFolder.FILE));
  }

  private static List<Path> own(Path folder) {
    if (Files.exists(folder.resolve(ProgramFolder.FILE))) return List.of(folder);
    return list(folder).stream().filter(ServedPlaces::isText).toList();
  }

  private static boolean isText(Path path) {
    return path.toString().endsWith(TEXT) && Files.isRegularFile(path);
  }

  private static List<Path> list(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.sorted().limit(PLACES_MAX).toList();
    } catch (IOException e) {
      throw new UsageError("program.unreadable", "Folder " + folder + " cannot be listed.", e);
    }
  }
}
