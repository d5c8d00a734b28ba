package dev.superstep.terminal.undo;

import dev.superstep.file.PrivateFiles;
import dev.superstep.terminal.undo.TreeEntry.Kind;
import dev.superstep.terminal.undo.TreeEntry.Stamp;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/// The last seen state of a workspace in two files: all of it, as it was once, and what has changed
/// since, so that a small change costs a small writing. One thread at a time.
final class TreeFile {
  private static final int FORMAT = 0x53535432; // SST2
  private static final int RECORD_MAX = 1 << 30;
  private static final long CHANGES_MAX = 1 << 20;
  private static final Kind[] KINDS = Kind.values();

  private final Path whole;
  private final Path changes;
  private long generation;
  private long changed;

  TreeFile(Path folder) {
    this.whole = folder.resolve("tree");
    this.changes = folder.resolve("tree-changes");
  }

  /// Writes a state.
  void write(Map<String, TreeEntry> tree) throws IOException {
    var aside = whole.resolveSibling("." + whole.getFileName() + "." + UUID.randomUUID() + ".part");
    // Changes that belong to another whole are none, so a crash between both files does no harm.
    long next = UUID.randomUUID().getMostSignificantBits();
    try {
      var sum = new CRC32();
      try (var out =
          new DataOutputStream(
              new CheckedOutputStream(
                  new BufferedOutputStream(PrivateFiles.create(aside), 1 << 16), sum))) {
        out.writeInt(FORMAT);
        out.writeLong(next);
        out.writeInt(tree.size());
        for (var entry : tree.entrySet()) {
          out.writeUTF(entry.getKey());
          write(out, entry.getValue());
        }
        out.writeLong(sum.getValue());
      }
      Files.move(aside, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(aside);
    }
    generation = next;
    changed = 0;
    Files.deleteIfExists(changes);
  }

  /// Writes how one state differs from the one before, or all of it if that is better by now.
  void write(Map<String, TreeEntry> before, Map<String, TreeEntry> now) throws IOException {
    var bytes = difference(before, now);
    if (bytes.length == 0) return;
    if (generation == 0 || changed + bytes.length > CHANGES_MAX) {
      write(now);
      return;
    }
    var sum = new CRC32();
    sum.update(bytes);
    var record = new ByteArrayOutputStream(bytes.length + 16);
    try (var out = new DataOutputStream(record)) {
      if (changed == 0) out.writeLong(generation);
      out.writeInt(bytes.length);
      out.writeLong(sum.getValue());
      out.write(bytes);
    }
    if (changed == 0) {
      Files.deleteIfExists(changes);
      PrivateFiles.create(changes).close();
    }
    Files.write(changes, record.toByteArray(), StandardOpenOption.APPEND);
    changed += record.size();
  }

  /// The entries that differ, as bytes; none if both states are the same.
  @SuppressWarnings("ReferenceEquality") // a scan returns the entries that it knows
  private static byte[] difference(Map<String, TreeEntry> before, Map<String, TreeEntry> now)
      throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      int common = 0;
      for (var entry : now.entrySet()) {
        var old = before.get(entry.getKey());
        if (old != null) common++;
        if (old == entry.getValue() || entry.getValue().equals(old)) continue;
        out.writeUTF(entry.getKey());
        out.writeBoolean(true);
        write(out, entry.getValue());
      }
      if (common == before.size()) return bytes.toByteArray();
      for (var name : before.keySet()) {
        if (now.containsKey(name)) continue;
        out.writeUTF(name);
        out.writeBoolean(false);
      }
    }
    return bytes.toByteArray();
  }

  @SuppressWarnings("EnumOrdinal") // how the file has it; their order must not change
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
  Optional<Map<String, TreeEntry>> read() throws IOException {
    generation = 0;
    changed = 0;
    var tree = readWhole();
    if (tree != null) readChanges(tree);
    return Optional.ofNullable(tree);
  }

  private @Nullable Map<String, TreeEntry> readWhole() throws IOException {
    if (!Files.exists(whole)) return null;
    var sum = new CRC32();
    try (var in =
        new DataInputStream(
            new CheckedInputStream(
                new BufferedInputStream(Files.newInputStream(whole), 1 << 16), sum))) {
      if (in.readInt() != FORMAT) return null;
      long of = in.readLong();
      int size = in.readInt();
      var tree = new HashMap<String, TreeEntry>();
      for (int left = size; left > 0; left--) tree.put(in.readUTF(), read(in));
      long expected = sum.getValue();
      if (in.readLong() != expected) return null;
      generation = of;
      return tree;
    } catch (EOFException | UTFDataFormatException | ArrayIndexOutOfBoundsException _) {
      return null;
    }
  }

  /// Adds what has changed since. A record that was not written to its end is none: the next scan
  /// finds what it would have said.
  private void readChanges(Map<String, TreeEntry> tree) throws IOException {
    if (!Files.exists(changes)) return;
    var bytes = Files.readAllBytes(changes);
    long whole = 0;
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (in.readLong() != generation) return;
      whole = Long.BYTES;
      while (true) {
        int length = in.readInt();
        long expected = in.readLong();
        if (length < 0 || length > Math.min(RECORD_MAX, in.available())) break;
        var record = in.readNBytes(length);
        var sum = new CRC32();
        sum.update(record);
        if (sum.getValue() != expected) break;
        apply(record, tree);
        whole += Integer.BYTES + Long.BYTES + length;
      }
    } catch (EOFException _) {
      // That was the last one.
    }
    changed = whole;
    if (whole == bytes.length) return;
    try (var channel = Files.newByteChannel(changes, StandardOpenOption.WRITE)) {
      channel.truncate(whole);
    }
  }

  private static void apply(byte[] record, Map<String, TreeEntry> tree) throws IOException {
    try (var in = new DataInputStream(new ByteArrayInputStream(record))) {
      while (in.available() > 0) {
        var name = in.readUTF();
        if (in.readBoolean()) tree.put(name, read(in));
        else tree.remove(name);
      }
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
