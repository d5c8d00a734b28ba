package dev.superstep.terminal.undo;

import dev.superstep.file.PrivateFiles;
import dev.superstep.terminal.undo.TreeEntry.Kind;
import dev.superstep.terminal.undo.TreeEntry.Stamp;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/// The last seen state of a workspace, in a file.
final class TreeFile {
  private static final int FORMAT = 0x53535431; // SST1
  private static final Kind[] KINDS = Kind.values();

  private TreeFile() {}

  static void write(Path file, TreeMap<String, TreeEntry> tree) throws IOException {
    var aside = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      var sum = new CRC32();
      try (var out =
          new DataOutputStream(
              new CheckedOutputStream(
                  new BufferedOutputStream(PrivateFiles.create(aside), 1 << 16), sum))) {
        out.writeInt(FORMAT);
        out.writeInt(tree.size());
        for (var entry : tree.entrySet()) {
          out.writeUTF(entry.getKey());
          write(out, entry.getValue());
        }
        out.writeLong(sum.getValue());
      }
      Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  private static void write(DataOutputStream out, TreeEntry entry) throws IOException {
    out.writeByte(entry.kind().ordinal());
    out.writeInt(entry.mode());
    out.writeUTF(entry.content());
    out.writeUTF(entry.gap());
    var stamp = entry.stamp();
    out.writeLong(stamp.size());
    out.writeLong(stamp.modified());
    out.writeLong(stamp.changed());
    out.writeLong(stamp.inode());
    out.writeBoolean(stamp.isSettled());
  }

  /// The state; empty if there is none, or it is damaged.
  static Optional<TreeMap<String, TreeEntry>> read(Path file) throws IOException {
    if (!Files.exists(file)) return Optional.empty();
    var sum = new CRC32();
    try (var in =
        new DataInputStream(
            new CheckedInputStream(
                new BufferedInputStream(Files.newInputStream(file), 1 << 16), sum))) {
      if (in.readInt() != FORMAT) return Optional.empty();
      var tree = new TreeMap<String, TreeEntry>();
      for (int left = in.readInt(); left > 0; left--) tree.put(in.readUTF(), read(in));
      long expected = sum.getValue();
      return in.readLong() == expected ? Optional.of(tree) : Optional.empty();
    } catch (EOFException | java.io.UTFDataFormatException | ArrayIndexOutOfBoundsException _) {
      return Optional.empty();
    }
  }

  private static TreeEntry read(DataInputStream in) throws IOException {
    var kind = KINDS[in.readByte()];
    int mode = in.readInt();
    var content = in.readUTF();
    var gap = in.readUTF();
    var stamp =
        new Stamp(in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readBoolean());
    return new TreeEntry(kind, mode, content, gap, stamp);
  }
}
