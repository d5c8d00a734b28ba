package dev.superstep.acp;

import dev.superstep.files.Expected;
import dev.superstep.files.FileConflict;
import dev.superstep.files.FileList;
import dev.superstep.files.FileText;
import dev.superstep.files.FileTree;
import dev.superstep.lock.Mutex;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolError;
import dev.superstep.workspace.Workspace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The text files of a session's folder, read and written by its editor as far as that offers it.
/// Safe for many threads.
final class SessionFiles implements FileTree {
  private final Access access;
  private final Path folder;
  private final Workspace workspace;
  private final FileTree disk;
  private final Mutex changing;

  /// The way to the files of an editor.
  ///
  /// @param session its id
  /// @param time for each answer
  record Access(
      Connection connection, String session, boolean reads, boolean writes, Duration time) {}

  SessionFiles(Access access, Path folder) {
    this(access, folder, Workspace.at(folder), new Mutex());
  }

  private SessionFiles(Access access, Path folder, Workspace workspace, Mutex changing) {
    this.access = access;
    this.folder = folder;
    this.workspace = workspace;
    this.disk = FileTree.of(workspace);
    this.changing = changing;
  }

  @Override
  public Optional<FileText> find(String path) {
    if (!access.reads()) return disk.find(path);
    var file = place(path);
    try {
      var content = ask("fs/read_text_file", request(file)).path("content");
      if (!content.isString()) throw failed("read", path, "the editor sent no text");
      var text = Wire.whole(content.stringValue());
      if (text.length() > workspace.limits().readBytes()) {
        throw new ToolError.Other(path, "It is longer than what may be read. Take another file.");
      }
      return Optional.of(FileText.of(path, text));
    } catch (Connection.NotAnswered e) {
      // Editors have no common word for a file that is not there.
      if (!Files.exists(file)) return Optional.empty();
      throw failed("read", path, e.why());
    }
  }

  @Override
  public FileText write(String path, String text, Expected expected) {
    try (var _ = changing.hold()) {
      // An editor writes wherever it is told, also into a `.git`.
      var _ = workspace.resolveWritable(path);
      var now = find(path).map(FileText::digest);
      FileConflict.check(path, expected, now);
      if (!access.writes()) {
        // What is not saved in the editor would be lost.
        FileConflict.check(path, same(now), disk.find(path).map(FileText::digest));
        return disk.write(path, text, Expected.anything());
      }
      var bytes = text.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > workspace.limits().writtenBytes()) {
        throw new ToolError.Other(path, "It is longer than what may be written. Write less.");
      }
      var request = request(place(path)).put("content", Wire.whole(text));
      try {
        ask("fs/write_text_file", request);
      } catch (Connection.NotAnswered e) {
        throw failed("write", path, e.why());
      }
      return FileText.of(path, text);
    }
  }

  private static Expected same(Optional<String> digest) {
    return digest.<Expected>map(Expected::digest).orElse(Expected.absent());
  }

  @Override
  public void delete(String path, Expected expected) {
    try (var _ = changing.hold()) {
      FileConflict.checkDeletable(path, expected, find(path).map(FileText::digest));
      disk.delete(path, Expected.anything());
    }
  }

  @Override
  public FileList list(String folder) {
    return disk.list(folder);
  }

  /// The path by which the editor knows a file, which may lead over links: that of an open file.
  private Path place(String path) {
    var real = workspace.resolve(path);
    return path.contains("..") ? real : folder.resolve(path).normalize();
  }

  private ObjectNode request(Path file) {
    return Wire.object().put("sessionId", access.session()).put("path", file.toString());
  }

  private JsonNode ask(String method, ObjectNode params) throws Connection.NotAnswered {
    try {
      return access.connection().ask(method, params).await(access.time());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new Connection.NotAnswered("the call was stopped");
    }
  }

  private static ToolError failed(String action, String path, String why) {
    return new ToolError.Io(action, path, new IOException(why));
  }

  @Override
  public FileTree usedBy(ToolContext context) {
    return new SessionFiles(access, folder, workspace.usedBy(context), changing);
  }
}
