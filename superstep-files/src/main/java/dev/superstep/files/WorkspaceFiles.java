package dev.superstep.files;

import dev.superstep.lock.Mutex;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolError;
import dev.superstep.workspace.FolderListing;
import dev.superstep.workspace.Workspace;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The text files of a workspace.
final class WorkspaceFiles implements FileTree {
  private static final int LEVELS_MAX = 64;
  private static final int LOCKS = 64;
  private static final String GIT = ".git";

  /// Of all workspaces of this process, since two may have the same files.
  private static final List<Mutex> WRITING = Stream.generate(Mutex::new).limit(LOCKS).toList();

  private final Workspace workspace;

  WorkspaceFiles(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Optional<FileText> find(String path) {
    try {
      return Optional.of(FileText.of(path, workspace.read(path)));
    } catch (ToolError.Io e) {
      if (e.getCause() instanceof NoSuchFileException) return Optional.empty();
      throw e;
    }
  }

  private Optional<String> digest(String path) {
    return find(path).map(FileText::digest);
  }

  /// A file has one lock, whatever links lead to it.
  private Mutex lock(String path) {
    return WRITING.get(Math.floorMod(workspace.resolve(path).hashCode(), LOCKS));
  }

  @Override
  public FileText write(String path, String text, Expected expected) {
    try (var _ = lock(path).hold()) {
      FileConflict.check(path, expected, digest(path));
      workspace.write(path, text);
    }
    return FileText.of(path, text);
  }

  @Override
  public void delete(String path, Expected expected) {
    try (var _ = lock(path).hold()) {
      FileConflict.checkDeletable(path, expected, digest(path));
      workspace.delete(path);
    }
  }

  /// Links are not followed, and what git keeps for itself is left out.
  @Override
  public FileList list(String folder) {
    var plain = folder.isEmpty() || folder.endsWith("/") ? folder : folder + "/";
    var walk = new Walk();
    walk.add(plain.equals("./") ? "" : plain, 1);
    walk.files.sort(Comparator.comparing(FileList.Entry::path));
    return new FileList(walk.files, walk.isCut);
  }

  /// A walk through the folders. One thread.
  private final class Walk {
    private final List<FileList.Entry> files = new ArrayList<>();
    private boolean isCut;

    void add(String folder, int level) {
      var listing = listing(folder);
      if (listing.isEmpty()) return;
      isCut |= listing.get().isCut();
      for (var entry : listing.get().entries()) {
        if (files.size() == FileList.FILES_MAX) {
          isCut = true;
          return;
        }
        var path = folder + entry.path();
        switch (entry.kind()) {
          case FILE -> files.add(new FileList.Entry(path, entry.bytes()));
          case DIRECTORY -> enter(path, entry.path(), level);
          case LINK, OTHER -> {}
        }
      }
    }

    private void enter(String path, String name, int level) {
      if (name.equals(GIT)) return;
      if (level == LEVELS_MAX) isCut = true;
      else add(path + "/", level + 1);
    }

    private Optional<FolderListing> listing(String folder) {
      try {
        return Optional.of(workspace.list(folder, 1));
      } catch (ToolError.Io e) {
        if (e.getCause() instanceof NoSuchFileException) return Optional.empty();
        throw e;
      }
    }
  }

  @Override
  public FileTree usedBy(ToolContext context) {
    return new WorkspaceFiles(workspace.usedBy(context));
  }
}
