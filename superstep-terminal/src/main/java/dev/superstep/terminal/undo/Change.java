package dev.superstep.terminal.undo;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a command or a tool changed in a workspace. Immutable.
///
/// @param id grows from change to change
/// @param label such as the command, without secrets
/// @param paths in their order
/// @param outside what it may have changed elsewhere, which cannot be undone; sentences
/// @param isInterrupted whether the process died meanwhile, so that changes of others may be among
///   them
public record Change(
    long id,
    String label,
    Instant begun,
    List<ChangedPath> paths,
    List<String> outside,
    boolean isInterrupted,
    boolean isUndone) {
  public Change {
    paths = List.copyOf(paths);
    outside = List.copyOf(outside);
  }

  /// A path below the workspace that is not as before.
  public static final class ChangedPath {
    private final String path;
    private final @Nullable TreeEntry before;
    private final @Nullable TreeEntry after;

    ChangedPath(String path, @Nullable TreeEntry before, @Nullable TreeEntry after) {
      this.path = path;
      this.before = before;
      this.after = after;
    }

    /// The path, with `/` between names.
    public String path() {
      return path;
    }

    /// What happened to it.
    public Kind kind() {
      if (before == null) return Kind.CREATED;
      if (after == null) return Kind.DELETED;
      return before.isSameContent(after) ? Kind.MODE : Kind.MODIFIED;
    }

    /// Why it cannot be undone; empty if it can.
    public String gap() {
      if (before != null && !before.isKept()) return before.gap();
      return "";
    }

    @Nullable TreeEntry before() {
      return before;
    }

    @Nullable TreeEntry after() {
      return after;
    }

    @Override
    public String toString() {
      return kind().name().toLowerCase(java.util.Locale.ROOT) + " " + path;
    }
  }

  /// The kinds of changes.
  public enum Kind {
    CREATED,
    MODIFIED,
    DELETED,
    /// Who may read, write or run it.
    MODE
  }

  Change undone() {
    return new Change(id, label, begun, paths, outside, isInterrupted, true);
  }
}
