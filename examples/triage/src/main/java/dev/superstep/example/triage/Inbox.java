package dev.superstep.example.triage;

import dev.superstep.example.triage.Contents.Refused;
import dev.superstep.example.triage.Contents.Text;
import dev.superstep.program.UnusableInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The messages that a user named: one file, or the files of one folder. Hidden files are left out;
/// whatever else is in the folder is listed and either read or refused with a reason. Links are not
/// followed and folders not entered, so nothing outside is read.
record Inbox(Path source) {
  static final int BYTES_MAX = 1 << 20;
  private static final int FILES_MAX = 5_000;
  private static final int REASONS_MAX = 3;

  // Java turns the bytes of a name that it cannot decode into U+FFFD, and that names no file.
  private static final Refused NAMELESS =
      new Refused("has a name that cannot be read; rename it to have it read");

  /// Makes sure that there is something to read.
  ///
  /// @throws UnusableInput if there is not
  static Inbox open(Path named) {
    var inbox = new Inbox(real(named));
    var reasons = new ArrayList<String>();
    for (var file : inbox.files()) {
      switch (inbox.read(file)) {
        case Text _ -> {
          return inbox;
        }
        case Refused(var reason) -> reasons.add(file.name() + " " + reason);
      }
    }
    var shown = String.join("; ", reasons.subList(0, Math.min(REASONS_MAX, reasons.size())));
    int more = reasons.size() - REASONS_MAX;
    throw new UnusableInput(
        "No message can be read in %s: %s%s."
            .formatted(named, shown, more > 0 ? "; and " + more + " more" : ""));
  }

  private static Path real(Path named) {
    try {
      return named.toRealPath();
    } catch (NoSuchFileException e) {
      throw new UnusableInput(
          "There is no " + named + ". Name a text file, or a folder with text files.");
    } catch (IOException e) {
      throw new UnusableInput(named + " cannot be opened: " + why(e) + ".");
    }
  }

  /// Sorted by name.
  ///
  /// @throws UnusableInput if there is none
  List<MessageFile> files() {
    var files = new ArrayList<MessageFile>();
    for (var path : paths()) {
      files.add(new MessageFile(path.getFileName().toString(), size(path)));
    }
    return files;
  }

  private List<Path> paths() {
    if (!Files.isDirectory(source)) return List.of(source);
    try (var entries = Files.list(source)) {
      var names = entries.filter(p -> !isHidden(p)).limit(FILES_MAX + 1).sorted().toList();
      if (names.isEmpty()) throw new UnusableInput("There are no files in " + source + ".");
      if (names.size() <= FILES_MAX) return names;
      throw new UnusableInput(
          source + " holds more than " + FILES_MAX + " files. Name a smaller folder.");
    } catch (IOException e) {
      throw new UnusableInput(source + " cannot be listed: " + why(e) + ".");
    }
  }

  private static boolean isHidden(Path path) {
    return path.getFileName().toString().startsWith(".");
  }

  private static long size(Path path) {
    try {
      return attributes(path).size();
    } catch (IOException e) {
      return -1; // reading it will say why
    }
  }

  /// Reads a file that was listed: never more than the limit, whatever the file has become since.
  Contents read(MessageFile file) {
    try {
      var path = Files.isDirectory(source) ? source.resolve(file.name()) : source;
      var now = attributes(path);
      if (now.isDirectory()) return new Refused("is a folder; name it to have it read");
      if (now.isSymbolicLink()) return new Refused("is a link; links are not followed");
      if (!now.isRegularFile()) return new Refused("is no regular file");
      if (now.size() != file.bytes()) return new Refused("changed after it was listed");
      if (now.size() > BYTES_MAX) {
        return new Refused(
            String.format(Locale.ROOT, "has %,d bytes, more than %,d", now.size(), BYTES_MAX));
      }
      try (var in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
        return Contents.of(in.readNBytes(BYTES_MAX));
      }
    } catch (InvalidPathException e) {
      return NAMELESS;
    } catch (NoSuchFileException e) {
      return file.name().indexOf('\uFFFD') >= 0
          ? NAMELESS
          : new Refused("vanished after it was listed");
    } catch (IOException e) {
      return new Refused("cannot be read: " + why(e));
    }
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  private static String why(IOException e) {
    return switch (e) {
      case java.nio.file.AccessDeniedException _ -> "access is denied";
      case java.nio.file.FileSystemException f when f.getReason() != null -> f.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
