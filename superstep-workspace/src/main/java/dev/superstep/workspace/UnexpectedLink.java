package dev.superstep.workspace;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/// A link is where there was none when the path was checked.
final class UnexpectedLink extends FileSystemException {
  UnexpectedLink(Path name) {
    super(name.toString());
  }
}
