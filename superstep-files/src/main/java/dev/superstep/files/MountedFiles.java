package dev.superstep.files;

import dev.superstep.tool.ToolContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Optional;

/// Files with other ones in a folder of theirs.
final class MountedFiles implements FileTree {
  private final FileTree outer;
  private final String folder;
  private final FileTree inner;

  MountedFiles(FileTree outer, String folder, FileTree inner) {
    this.outer = outer;
    this.folder = FilePath.file(folder);
    this.inner = inner;
  }

  /// The place of a path: in which tree, and where there.
  private record Place(FileTree tree, String path) {}

  private Place place(String path) {
    var plain = FilePath.file(path);
    // The folder itself is no file of either tree.
    return FilePath.isBelow(plain, folder)
        ? new Place(inner, plain.substring(folder.length() + 1))
        : new Place(outer, plain);
  }

  @Override
  public Optional<FileText> find(String path) {
    var place = place(path);
    return place.tree().find(place.path()).map(file -> named(path, file));
  }

  private static FileText named(String path, FileText file) {
    return new FileText(path, file.text(), file.digest());
  }

  @Override
  public FileText write(String path, String text, Expected expected) {
    var place = place(path);
    return named(path, place.tree().write(place.path(), text, expected));
  }

  @Override
  public void delete(String path, Expected expected) {
    var place = place(path);
    place.tree().delete(place.path(), expected);
  }

  @Override
  public FileList list(String wanted) {
    var plain = FilePath.folder(wanted);
    if (plain.equals(folder)) return prefixed(inner.list(""));
    if (FilePath.isBelow(plain, folder)) {
      return prefixed(inner.list(plain.substring(folder.length() + 1)));
    }
    var outside = outer.list(plain);
    if (!FilePath.isBelow(folder, plain)) return outside;
    var inside = prefixed(inner.list(""));
    var all = new ArrayList<>(inside.files());
    for (var file : outside.files()) if (!FilePath.isBelow(file.path(), folder)) all.add(file);
    all.sort(Comparator.comparing(FileList.Entry::path));
    return new FileList(all, inside.isCut() || outside.isCut());
  }

  private FileList prefixed(FileList list) {
    var all = new ArrayList<FileList.Entry>();
    for (var file : list.files()) {
      all.add(new FileList.Entry(folder + "/" + file.path(), file.bytes()));
    }
    return new FileList(all, list.isCut());
  }

  @Override
  public FileTree usedBy(ToolContext context) {
    return new MountedFiles(outer.usedBy(context), folder, inner.usedBy(context));
  }
}
