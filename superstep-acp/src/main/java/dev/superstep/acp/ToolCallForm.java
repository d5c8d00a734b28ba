package dev.superstep.acp;

import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.tool.ToolError;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The form in which an editor shows tool calls: kinds, titles, places and differences of files.
/// Immutable.
final class ToolCallForm {
  private static final int TITLE_MAX = 120;
  private static final int WORD_MAX = 80;
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./=:@%+,-]+");

  // Such as those that turn the direction of a text.
  private static final Pattern HIDDEN = Pattern.compile("[\\p{C}\\u2028\\u2029]");
  private static final Set<String> SHOWN = Set.of("edit_file", "write_file", EditorTerminal.NAME);
  private static final Set<String> FILE_TOOLS =
      Set.of("read_file", "edit_file", "write_file", "move_file", "delete_file");

  private final Path folder;
  private final SessionFiles files;
  private final Map<String, ToolKind> kinds;
  private final int shown;

  /// @param kinds of tools by their names, beside those that are known
  /// @param shown the most characters of a text
  ToolCallForm(Path folder, SessionFiles files, Map<String, ToolKind> kinds, int shown) {
    this.folder = folder;
    this.files = files;
    this.kinds = kinds;
    this.shown = shown;
  }

  /// A call, without its status.
  ObjectNode call(String id, ToolCall call) {
    var arguments = Wire.treeOrText(call.arguments().isBlank() ? "{}" : call.arguments());
    var json =
        Wire.object()
            .put("toolCallId", id)
            .put("title", title(call.tool(), arguments))
            .put("name", call.tool())
            .put("kind", kind(call.tool()).word());
    json.set("rawInput", arguments);
    if (FILE_TOOLS.contains(call.tool())) addFiles(json, call.tool(), arguments);
    if (call.tool().equals(EditorTerminal.NAME)) {
      addText(json.putArray("content"), command(arguments.path("command")));
    }
    return json;
  }

  /// The whole command, since a title is cut and a person decides by what is seen. Words are quoted
  /// where they are not plain.
  private static String command(JsonNode words) {
    var line = new StringJoiner(" ");
    for (var word : words) {
      var text = word.asString("");
      line.add(PLAIN.matcher(text).matches() ? text : quoted(text));
    }
    return line.toString();
  }

  private static String quoted(String word) {
    return HIDDEN
        .matcher(Wire.text(JsonNodeFactory.instance.stringNode(word)))
        .replaceAll(found -> "\\\\u{%x}".formatted(found.group().codePointAt(0)));
  }

  private ToolKind kind(String tool) {
    var own = kinds.get(tool);
    return own == null ? ToolKind.KNOWN.getOrDefault(tool, ToolKind.OTHER) : own;
  }

  private static String title(String tool, JsonNode arguments) {
    var first = new StringBuilder(tool);
    for (var value : arguments) {
      var words = words(value);
      if (words.isBlank()) continue;
      first.append(' ').append(Wire.cut(words, WORD_MAX));
      break;
    }
    return Wire.cut(first.toString().replaceAll("\\p{Cntrl}+", " ").strip(), TITLE_MAX);
  }

  /// A text, or the words of a command.
  private static String words(JsonNode value) {
    if (value.isString()) return value.stringValue();
    var words = new StringJoiner(" ");
    if (value.isArray()) {
      for (var word : value) if (word.isString()) words.add(word.stringValue());
    }
    return words.toString();
  }

  // --- Files ---

  private void addFiles(ObjectNode json, String tool, JsonNode arguments) {
    var locations = Wire.object().putArray("locations");
    for (var name : new String[] {"path", "from", "to"}) {
      var place = place(arguments.path(name));
      if (place.isEmpty()) continue;
      var location = locations.addObject().put("path", place.get().toString());
      int line = arguments.path("firstLine").asInt(0);
      if (line > 0) location.put("line", line);
    }
    if (!locations.isEmpty()) json.set("locations", locations);
    var file = place(arguments.path("path"));
    if (file.isEmpty()) return;
    var diff = Wire.object().put("type", "diff").put("path", file.get().toString());
    boolean isDiff =
        switch (tool) {
          case "edit_file" -> edit(diff, arguments);
          case "write_file" -> write(diff, arguments);
          default -> false;
        };
    if (isDiff) json.putArray("content").add(diff);
  }

  /// The place of a file as the editor names it, if it is in the folder.
  private Optional<Path> place(JsonNode path) {
    if (!path.isString() || path.stringValue().isBlank()) return Optional.empty();
    try {
      var place = folder.resolve(path.stringValue()).normalize();
      return place.startsWith(folder) ? Optional.of(place) : Optional.empty();
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }

  private static boolean edit(ObjectNode diff, JsonNode arguments) {
    if (!arguments.path("old").isString() || !arguments.path("replacement").isString()) {
      return false;
    }
    diff.put("oldText", Wire.text(arguments, "old"));
    diff.put("newText", Wire.text(arguments, "replacement"));
    return true;
  }

  private boolean write(ObjectNode diff, JsonNode arguments) {
    if (!arguments.path("text").isString()) return false;
    diff.put("newText", Wire.text(arguments, "text"));
    if (!arguments.path("digest").isString()) {
      diff.putNull("oldText");
      return true;
    }
    try {
      var now = files.find(arguments.path("path").stringValue());
      now.ifPresent(text -> diff.put("oldText", text.text()));
      return now.isPresent();
    } catch (ToolError _) {
      // The call fails by itself, or a person decides by what it says.
      return false;
    }
  }

  // --- Results ---

  /// Adds a result: of a change of a file that was made, the difference stays as it is; of a
  /// command, its terminal.
  void addResult(ObjectNode update, ToolCall call, ToolMessage result) {
    if (result.error() || !SHOWN.contains(call.tool())) {
      var content = update.putArray("content");
      for (var part : result.content()) addPart(content, part);
    }
    var text = result.text();
    if (text.length() <= shown) update.set("rawOutput", Wire.treeOrText(text));
  }

  private void addPart(ArrayNode content, Content part) {
    switch (part) {
      case Content.Text(var text) -> addText(content, text);
      case Content.Data(var json) -> addText(content, json.text());
      case Content.Image(var type, var bytes) -> {
        if (bytes.length() > shown) return;
        var block = content.addObject().put("type", "content").putObject("content");
        block.put("type", "image").put("mimeType", type).put("data", bytes);
      }
      case Content.ImageLink _,
          Content.File _,
          Content.FileLink _,
          Content.Thinking _,
          Content.Extension _ -> {}
    }
  }

  void addText(ArrayNode content, String text) {
    var block = content.addObject().put("type", "content").putObject("content");
    block.put("type", "text").put("text", Wire.cut(text, shown));
  }
}
