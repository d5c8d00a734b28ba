package dev.superstep.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.regex.Pattern;

/// A program that speaks MCP by its standard streams, and writes what it did into a file. Without
/// libraries, so that it starts quickly.
public final class NoteServer {
  private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
  private static final Pattern METHOD = Pattern.compile("\"method\":\"([^\"]+)\"");
  private static final Pattern TEXT = Pattern.compile("\"text\":\"([^\"]*)\"");

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final Path log;

  private NoteServer(Path log) {
    this.log = log;
  }

  /// The words that start it.
  static String[] words(Path log) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var classes = NoteServer.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return new String[] {
      java,
      "-XX:TieredStopAtLevel=1",
      "-XX:+UseSerialGC",
      "-cp",
      classes,
      NoteServer.class.getName(),
      log.toString()
    };
  }

  /// An `.mcp.json` with it under a name.
  ///
  /// @param more further fields of the server, with a comma before each
  static String file(String name, Path log, String more) {
    var words = words(log);
    var arguments = new StringBuilder();
    for (int i = 1; i < words.length; i++) {
      arguments.append(i == 1 ? "\"" : ", \"").append(words[i]).append('"');
    }
    return "{\"mcpServers\": {\"%s\": {\"command\": \"%s\", \"args\": [%s]%s}}}"
        .formatted(name, words[0], arguments, more);
  }

  public static void main(String[] arguments) throws IOException {
    var server = new NoteServer(Path.of(arguments[0]));
    server.note("started");
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (var line = in.readLine(); line != null; line = in.readLine()) server.heard(line);
  }

  private void note(String text) throws IOException {
    Files.writeString(log, text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void heard(String line) throws IOException {
    var id = ID.matcher(line);
    var method = METHOD.matcher(line);
    if (!id.find() || !method.find()) return;
    var result =
        switch (method.group(1)) {
          case "initialize" ->
              "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{},\"resources\":{},"
                  + "\"prompts\":{}},\"serverInfo\":{\"name\":\"notes\",\"version\":\"1\"}}";
          case "tools/list" -> tools();
          case "tools/call" -> called(line);
          case "resources/list" ->
              "{\"resources\":[{\"uri\":\"note://1\",\"name\":\"first\",\"description\":\"One\\u001b[2J.\"}]}";
          case "resources/templates/list" -> "{\"resourceTemplates\":[]}";
          case "resources/read" -> "{\"contents\":[{\"uri\":\"note://1\",\"text\":\"Buy milk.\"}]}";
          case "prompts/list" ->
              "{\"prompts\":[{\"name\":\"sum\",\"arguments\":[{\"name\":\"day\",\"required\":true}]}]}";
          case "prompts/get" ->
              "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Sum"
                  + " up.\"}}]}";
          default -> "{}";
        };
    out.println("{\"jsonrpc\":\"2.0\",\"id\":" + id.group(1) + ",\"result\":" + result + "}");
  }

  /// The description of its first tool is what a file beside the log says.
  private String tools() throws IOException {
    var file = log.resolveSibling("description.txt");
    var says = Files.exists(file) ? Files.readString(file).strip() : "Says it.";
    var schema = "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}}}";
    return ("{\"tools\":[{\"name\":\"say\",\"description\":\"%s\",\"inputSchema\":%s},"
            + "{\"name\":\"secret\",\"description\":\"Tells.\",\"inputSchema\":%s}]}")
        .formatted(says, schema, schema);
  }

  /// Waits for a file beside the log.
  private void hold() throws IOException {
    try {
      for (int i = 0; i < 3_000 && !Files.exists(log.resolveSibling("go")); i++) Thread.sleep(20);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private String called(String line) throws IOException {
    var text = TEXT.matcher(line);
    var said = text.find() ? text.group(1) : "";
    if (line.contains("\"secret\"")) {
      said = Optional.ofNullable(System.getenv("NOTE_KEY")).map(String::length).orElse(0) + "";
    }
    note("call " + said);
    if (said.equals("hold")) hold();
    return "{\"content\":[{\"type\":\"text\",\"text\":\"said " + said + "\"}]}";
  }
}
