package dev.superstep.skills;

import dev.superstep.skills.FrontMatter.Parts;
import dev.superstep.skills.FrontMatter.Unreadable;
import dev.superstep.tool.ToolError;
import dev.superstep.workspace.Workspace;
import dev.superstep.workspace.WorkspaceLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Reads skills from a folder of them, within limits. Links are refused, and a folder that is
/// swapped for one meanwhile is not followed, as in a [Workspace].
final class SkillReader {
  /// The form of a name. It is also that of a folder without tricks.
  static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

  static final int NAME_MAX = 64;
  private static final int DESCRIPTION_MAX = 1_024;
  private static final int COMPATIBILITY_MAX = 500;
  private static final int VALUE_MAX = 200;
  private static final int METADATA_MAX = 32;
  private static final int TOOLS_MAX = 64;
  private static final int TEXT_BYTES_MAX = 131_072;
  private static final int FILES_MAX = 500;
  private static final int LEVELS_MAX = 8;
  private static final int FILE_BYTES_MAX = 2_000_000;
  private static final long BYTES_MAX = 16_000_000;

  private static final WorkspaceLimits HEADS = WorkspaceLimits.standard().files(TEXT_BYTES_MAX, 1);
  private static final WorkspaceLimits WHOLE =
      WorkspaceLimits.standard().files(FILE_BYTES_MAX, 1).listings(2 * FILES_MAX, LEVELS_MAX);

  private SkillReader() {}

  static boolean isName(String name) {
    return name.length() <= NAME_MAX && NAME.matcher(name).matches();
  }

  /// Reads the description of a skill alone.
  ///
  /// @param folders the folder that holds it among others
  /// @throws InvalidSkill if it is none
  static SkillDescription head(Workspace folders, String name) {
    try {
      var text = folders.limits(HEADS).read(name + "/" + Skill.FILE);
      return description(name, FrontMatter.read(text));
    } catch (ToolError e) {
      throw new InvalidSkill(name, "Its SKILL.md cannot be read. " + e.getMessage());
    } catch (Unreadable e) {
      throw new InvalidSkill(name, e.why());
    }
  }

  /// Reads a whole skill.
  ///
  /// @param folders the folder that holds it among others
  /// @throws InvalidSkill if it is none, or too large
  static Skill whole(Workspace folders, String name) {
    try {
      var files = files(folders.limits(WHOLE), name);
      var text = files.get(Skill.FILE);
      if (text == null) throw new InvalidSkill(name, "It has no SKILL.md.");
      if (text.length > TEXT_BYTES_MAX) {
        throw new InvalidSkill(
            name, "Its SKILL.md has more than %d bytes.".formatted(TEXT_BYTES_MAX));
      }
      var parts =
          FrontMatter.read(
              Skill.decoded(text)
                  .orElseThrow(() -> new InvalidSkill(name, "Its SKILL.md is not in UTF-8.")));
      var body = PlainText.visible(parts.body()).strip();
      return new Skill(folders.root().resolve(name), description(name, parts), body, files);
    } catch (ToolError e) {
      throw new InvalidSkill(name, "Its folder cannot be read. " + e.getMessage());
    } catch (Unreadable e) {
      throw new InvalidSkill(name, e.why());
    }
  }

  private static Map<String, byte[]> files(Workspace workspace, String name) {
    var files = new TreeMap<String, byte[]>();
    var open = new ArrayList<String>(List.of(""));
    long bytes = 0;
    int folders = 0;
    while (!open.isEmpty()) {
      var at = open.removeLast();
      var listing = workspace.list(name + "/" + at, 1);
      if (listing.isCut()) throw tooMany(name);
      for (var entry : listing.entries()) {
        var path = at + entry.path();
        if (PlainText.hides(path)) {
          throw new InvalidSkill(
              name,
              "The path `%s` has hidden characters.".formatted(PlainText.oneLine(path, VALUE_MAX)));
        }
        switch (entry.kind()) {
          case DIRECTORY -> {
            if (entry.path().equals(".git")) continue; // never read, so never used either
            if (path.chars().filter(c -> c == '/').count() >= LEVELS_MAX) {
              throw new InvalidSkill(
                  name, "Its folders are more than %d levels deep.".formatted(LEVELS_MAX));
            }
            open.add(path + "/");
            if (++folders > FILES_MAX) throw tooMany(name);
          }
          case FILE -> {
            var content = workspace.readBytes(name + "/" + path);
            bytes += content.length;
            files.put(path, content);
          }
          case LINK ->
              throw new InvalidSkill(
                  name,
                  "`%s` is a link. Put the file itself there."
                      .formatted(PlainText.oneLine(path, VALUE_MAX)));
          case OTHER ->
              throw new InvalidSkill(
                  name, "`%s` is no file.".formatted(PlainText.oneLine(path, VALUE_MAX)));
        }
        if (files.size() > FILES_MAX) throw tooMany(name);
        if (bytes > BYTES_MAX) {
          throw new InvalidSkill(name, "It has more than %d bytes.".formatted(BYTES_MAX));
        }
      }
    }
    return files;
  }

  private static InvalidSkill tooMany(String name) {
    return new InvalidSkill(name, "It has more than %d files or folders.".formatted(FILES_MAX));
  }

  private static SkillDescription description(String folder, Parts parts) {
    var name = required(folder, "name", parts);
    if (!isName(name)) {
      throw new InvalidSkill(
          folder,
          "Its name `%s` is not of at most %d lower-case letters, digits and single hyphens."
              .formatted(PlainText.oneLine(name, NAME_MAX), NAME_MAX));
    }
    if (!name.equals(folder)) {
      throw new InvalidSkill(
          folder, "Its name is `%s`. A skill has the name of its folder.".formatted(name));
    }
    var description = required(folder, "description", parts);
    return new SkillDescription(
        name,
        PlainText.oneLine(limited(folder, "description", description, DESCRIPTION_MAX), 2_048),
        line(folder, "license", parts, VALUE_MAX),
        line(folder, "compatibility", parts, COMPATIBILITY_MAX),
        metadata(folder, parts),
        allowedTools(parts));
  }

  private static String required(String folder, String value, Parts parts) {
    return parts
        .value(value)
        .orElseThrow(() -> new InvalidSkill(folder, "It has no `%s`.".formatted(value)));
  }

  private static String limited(String folder, String name, String value, int most) {
    if (value.length() <= most) return value;
    throw new InvalidSkill(folder, "Its `%s` has more than %d characters.".formatted(name, most));
  }

  private static Optional<String> line(String folder, String name, Parts parts, int most) {
    return parts
        .value(name)
        .map(text -> PlainText.oneLine(limited(folder, name, text, most), most));
  }

  private static Map<String, String> metadata(String folder, Parts parts) {
    var found = new TreeMap<String, String>();
    for (var entry : parts.maps().getOrDefault("metadata", Map.of()).entrySet()) {
      if (found.size() == METADATA_MAX) {
        throw new InvalidSkill(
            folder, "Its `metadata` has more than %d entries.".formatted(METADATA_MAX));
      }
      found.put(entry.getKey(), PlainText.oneLine(entry.getValue(), VALUE_MAX));
    }
    return found;
  }

  private static List<String> allowedTools(Parts parts) {
    var list = parts.maps().getOrDefault("allowed-tools", Map.of()).values().stream();
    var words = parts.value("allowed-tools").stream().flatMap(SkillReader::words);
    return Stream.concat(list, words)
        .map(tool -> PlainText.oneLine(tool, VALUE_MAX))
        .limit(TOOLS_MAX)
        .toList();
  }

  /// Words between spaces or commas, but for those in parentheses: `Bash(git log *) Read`.
  private static Stream<String> words(String text) {
    var bare = text.startsWith("[") ? text.replaceAll("[\\[\\]]", "") : text;
    return Arrays.stream(bare.split("[\\s,]+(?![^(]*\\))")).filter(word -> !word.isBlank());
  }
}
