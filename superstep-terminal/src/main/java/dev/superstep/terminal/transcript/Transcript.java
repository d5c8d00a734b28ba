package dev.superstep.terminal.transcript;

import dev.superstep.checkpoint.Entry;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.terminal.approval.ApprovalDigest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// A file with the journal of a conversation: one line of JSON for each entry, each with the digest
/// of the line before it, so that a change is found. It is an export, which is added to and never
/// read back as a conversation: the thread in its store is the conversation.
///
/// Only its owner can read the file. One process writes it at a time.
public final class Transcript {
  private static final int FORMAT = 1;
  private static final String BEGINNING = "0".repeat(64);
  private static final int PAGE = 500;
  private static final String OWNER = "rw-------";
  private static final Set<OpenOption> OPTIONS =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  private Transcript() {}

  /// A line. Stored: its components are kept when the code is renamed.
  ///
  /// @param v the format of the line
  /// @param seq counts the lines, from 1
  /// @param prev the digest of the line before; zeros in the first
  /// @param id of the entry
  /// @param offset of the entry in the journal
  /// @param event as the journal has it, without secrets
  /// @param digest of the line itself without it, which tells a change of the last line
  public record Line(
      int v,
      long seq,
      String prev,
      String id,
      long offset,
      Instant at,
      String conversation,
      String run,
      String node,
      String kind,
      Json event,
      String digest) {
    Line with(String other) {
      return new Line(v, seq, prev, id, offset, at, conversation, run, node, kind, event, other);
    }

    /// The line with its own digest: of its text without one.
    Line sealed() {
      return with(ApprovalDigest.sha256(Json.of(with("")).text()));
    }
  }

  /// The findings of the check of a file.
  ///
  /// @param lines that are as they were written
  /// @param offset of the last of them in the journal
  /// @param broken where the chain breaks; empty if it holds
  /// @param tornBytes of a last line that was not written to its end
  public record Check(long lines, long offset, Optional<Break> broken, int tornBytes) {}

  /// A place where the chain breaks.
  ///
  /// @param line its number, from 1
  public record Break(long line, String reason) {}

  /// The result of an export.
  ///
  /// @param added how many lines
  /// @param notices what was found and repaired on the way, such as a torn last line
  public record Export(long added, java.util.List<String> notices) {
    public Export {
      notices = java.util.List.copyOf(notices);
    }
  }

  /// Adds what the file does not have yet, and forces it to the disk.
  ///
  /// @throws TranscriptBroken if the file was changed; nothing is added then
  /// @throws TranscriptBusy if another one writes it
  public static Export export(ThreadJournal journal, Path file) throws IOException {
    try (var channel = FileChannel.open(file, OPTIONS, ownerOnly(file));
        var lock = lock(channel, file)) {
      restrict(file);
      var read = read(channel);
      if (read.check().broken().isPresent()) {
        throw new TranscriptBroken(file, read.check().broken().get());
      }
      var notices = new java.util.ArrayList<String>();
      int torn = read.check().tornBytes();
      if (torn > 0) {
        channel.truncate(channel.size() - torn);
        notices.add("The last line was not whole: %d bytes were cut off.".formatted(torn));
      }
      channel.position(channel.size());
      long seq = read.check().lines();
      long first = seq;
      long offset = read.check().offset();
      var prev = read.last();
      while (true) {
        var page = journal.entries(offset, PAGE);
        if (page.isEmpty()) break;
        var text = new StringBuilder();
        for (var entry : page) {
          var line = Json.of(line(entry, ++seq, prev, journal.thread())).text();
          text.append(line).append('\n');
          prev = ApprovalDigest.sha256(line);
          offset = entry.offset();
        }
        write(channel, text.toString());
      }
      channel.force(true);
      assert lock.isValid();
      return new Export(seq - first, notices);
    }
  }

  private static Line line(Entry entry, long seq, String prev, String conversation) {
    return new Line(
            FORMAT,
            seq,
            prev,
            entry.id(),
            entry.offset(),
            entry.at(),
            conversation,
            entry.run(),
            entry.node(),
            entry.kind(),
            entry.event(),
            "")
        .sealed();
  }

  /// Checks a file, and says where its chain breaks.
  public static Check verify(Path file) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return read(channel).check();
    }
  }

  /// @param last the digest of the last line
  private record Read(Check check, String last) {}

  private static Read read(FileChannel channel) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var in = java.nio.channels.Channels.newInputStream(channel.position(0));
    in.transferTo(bytes);
    var all = bytes.toByteArray();
    long lines = 0;
    long offset = 0;
    var prev = BEGINNING;
    int from = 0;
    for (int at = 0; at < all.length; at++) {
      if (all[at] != '\n') continue;
      var text = new String(all, from, at - from, StandardCharsets.UTF_8);
      Line line;
      try {
        line = Json.parse(text).as(Line.class);
      } catch (MalformedJson _) {
        return broken(lines, offset, prev, "it is no line of a transcript");
      }
      var problem = problem(line, lines + 1, prev, text);
      if (problem.isPresent()) return broken(lines, offset, prev, problem.get());
      lines++;
      offset = line.offset();
      prev = ApprovalDigest.sha256(text);
      from = at + 1;
    }
    return new Read(new Check(lines, offset, Optional.empty(), all.length - from), prev);
  }

  private static Optional<String> problem(Line line, long seq, String prev, String text) {
    if (line.v() > FORMAT) {
      return Optional.of("format " + line.v() + " is newer than this version knows");
    }
    if (line.seq() != seq) return Optional.of("it is number " + line.seq() + ", not " + seq);
    if (!line.prev().equals(prev)) {
      return Optional.of("the line before it is not the one that it was written after");
    }
    if (!line.sealed().digest().equals(line.digest())) return Optional.of("it was changed");
    // What was added to the line without a change of its values would be read the same.
    if (!Json.of(line).text().equals(text)) return Optional.of("it is not written as we write it");
    return Optional.empty();
  }

  private static Read broken(long lines, long offset, String prev, String reason) {
    var where = new Break(lines + 1, reason);
    return new Read(new Check(lines, offset, Optional.of(where), 0), prev);
  }

  private static void write(FileChannel channel, String text) throws IOException {
    var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      int _ = channel.write(bytes);
    }
  }

  private static java.nio.channels.FileLock lock(FileChannel channel, Path file)
      throws IOException {
    try {
      var lock = channel.tryLock();
      if (lock != null) return lock;
    } catch (OverlappingFileLockException _) {
      // Another thread of this process has it.
    }
    throw new TranscriptBusy(file);
  }

  private static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static FileAttribute<?>[] ownerOnly(Path file) {
    if (!isPosix(file)) return new FileAttribute<?>[0];
    var permissions = PosixFilePermissions.fromString(OWNER);
    return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)};
  }

  /// A file that was there before may have other permissions.
  private static void restrict(Path file) throws IOException {
    if (isPosix(file)) {
      var _ = Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(OWNER));
    }
  }
}
