package dev.superstep.files;

import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolError;
import java.util.Optional;

/// Files that nobody changes here.
record ReadOnlyFiles(FileTree files) implements FileTree {
  @Override
  public Optional<FileText> find(String path) {
    return files.find(path);
  }

  @Override
  public FileText write(String path, String text, Expected expected) {
    throw refused(path);
  }

  @Override
  public void delete(String path, Expected expected) {
    throw refused(path);
  }

  private static ToolError refused(String path) {
    return new ToolError.PathEscape(path, "leads to where files may only be read");
  }

  @Override
  public FileList list(String folder) {
    return files.list(folder);
  }

  @Override
  public FileTree usedBy(ToolContext context) {
    return new ReadOnlyFiles(files.usedBy(context));
  }

  @Override
  public FileTree readOnly() {
    return this;
  }
}
