package dev.superstep.cli.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Reads files that users write. What is wrong with one is said without a name of Java.
public final class TextFile {
  private TextFile() {}

  /// Reads a file of UTF-8 text.
  ///
  /// @param kind the first part of the codes of errors, such as `config`
  /// @throws UsageError `KIND.unreadable`
  public static String read(Path file, int bytesMax, String kind) {
    // A pipe or a device may never end.
    if (Files.isDirectory(file)) throw unreadable(kind, file, "is a folder", null);
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw unreadable(kind, file, "is not a regular file", null);
    }
    try (var in = Files.newInputStream(file)) {
      var bytes = in.readNBytes(bytesMax + 1);
      if (bytes.length > bytesMax) {
        throw unreadable(kind, file, "has more than " + bytesMax + " bytes", null);
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw unreadable(kind, file, "is not UTF-8 text", e);
    } catch (IOException e) {
      throw unreadable(kind, file, "cannot be read" + why(e), e);
    }
  }

  /// The reason of an error of files, behind a colon; nothing if it says none.
  public static String why(IOException error) {
    if (error instanceof NoSuchFileException) return ": there is no such file";
    if (error instanceof AccessDeniedException) return ": it may not be opened by you";
    if (error instanceof java.nio.file.FileSystemException named) {
      return named.getReason() == null ? "" : ": " + named.getReason();
    }
    return error.getMessage() == null ? "" : ": " + error.getMessage();
  }

  private static UsageError unreadable(
      String kind, Path file, String why, @Nullable IOException cause) {
    var message = file + " " + why + ".";
    return cause == null
        ? new UsageError(kind + ".unreadable", message)
        : new UsageError(kind + ".unreadable", message, cause);
  }
}
