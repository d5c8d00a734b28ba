package dev.superstep.files;

import dev.superstep.json.SuperstepException;
import dev.superstep.tool.ToolError;
import java.util.List;
import java.util.Optional;

/// A file was not as its writer took it to be, because somebody else has changed it. Nothing was
/// written. Its message is fit for a model.
public final class FileConflict extends SuperstepException {
  private static final long serialVersionUID = 1;
  private final transient List<String> paths;

  private FileConflict(List<String> paths, String message) {
    super("files.conflict", message, null);
    this.paths = List.copyOf(paths);
  }

  /// @param digest of the file as it is, or empty if there is none
  static FileConflict of(String path, Expected expected, Optional<String> digest) {
    var why =
        switch (expected) {
          case Expected.Absent _ -> "it exists already. Read it, and give its digest.";
          case Expected.Digest _ when digest.isEmpty() -> "it does not exist any more.";
          case Expected.Digest _ ->
              "it was changed since it was read. Read it again, and make the change anew.";
          case Expected.Anything _ -> "there is no such file.";
        };
    return new FileConflict(
        List.of(path), "`" + ToolError.quote(path) + "` was left as it is: " + why);
  }

  static FileConflict of(List<String> paths) {
    return new FileConflict(
        paths,
        "Nothing was applied, because these files were changed since: "
            + ToolError.quote(String.join(", ", paths))
            + ". Read them again, and make the changes anew.");
  }

  /// Throws if a file is not as expected. For those who write a [FileTree].
  ///
  /// @param digest of the file as it is, or empty if there is none
  /// @throws FileConflict if it is not
  public static void check(String path, Expected expected, Optional<String> digest) {
    if (!expected.fits(digest)) throw of(path, expected, digest);
  }

  /// Throws if a file that is to be deleted is not as expected, or is not there. For those who
  /// write a [FileTree].
  ///
  /// @param digest of the file as it is, or empty if there is none
  /// @throws FileConflict if it is not
  public static void checkDeletable(String path, Expected expected, Optional<String> digest) {
    if (digest.isEmpty() || !expected.fits(digest)) throw of(path, expected, digest);
  }

  /// The files that were changed.
  public List<String> paths() {
    return paths;
  }
}
