package dev.superstep.example.guide.mcp;

import dev.superstep.mcp.server.McpHost;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A small server for the files of one folder. Its tools are named as those of
/// `@modelcontextprotocol/server-filesystem`.
public final class NotesServer {
  private final Path folder;

  private NotesServer(Path folder) {
    this.folder = folder;
  }

  record Place(String path) {}

  record Note(String path, String content) {}

  /// The command line that starts this server.
  static List<String> command() {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return List.of(java, "-cp", System.getProperty("java.class.path"), NotesServer.class.getName());
  }

  private ToolResult read(Place place) throws IOException {
    var file = folder.resolve(place.path()).normalize();
    return file.startsWith(folder)
        ? ToolResult.of(Files.readString(file))
        : ToolResult.error("This path is outside of the folder.");
  }

  private ToolResult write(Note note) throws IOException {
    var file = folder.resolve(note.path()).normalize();
    if (!file.startsWith(folder)) return ToolResult.error("This path is outside of the folder.");
    Files.writeString(file, note.content());
    return ToolResult.of("Written.");
  }

  private ToolResult list() throws IOException {
    try (var files = Files.list(folder)) {
      return ToolResult.of(String.join("\n", files.map(f -> f.getFileName() + "").toList()));
    }
  }

  public static void main(String[] args) throws Exception {
    var server = new NotesServer(Path.of(args[0]).toRealPath());
    var read = Tool.of("read_text_file", "Reads.", Place.class, (p, _) -> server.read(p));
    var write = Tool.of("write_file", "Writes.", Note.class, (n, _) -> server.write(n));
    var list = Tool.of("list_directory", "Lists.", Place.class, (_, _) -> server.list());
    try (var host =
        McpHost.named("files")
            .tool(read.withPolicy(ToolPolicy.readOnly()))
            .tool(write)
            .tool(list.withPolicy(ToolPolicy.readOnly()))
            .build()) {
      host.serve();
    }
  }
}
