package dev.superstep.skills;

import dev.superstep.message.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Folders of skills for tests.
final class SkillFiles {
  private SkillFiles() {}

  static String head(String name, String description) {
    return "---\nname: %s\ndescription: %s\n---\n".formatted(name, description);
  }

  /// Writes a skill with a body.
  static Path write(Path folders, String name, String description, String body) {
    return write(folders.resolve(name).resolve("SKILL.md"), head(name, description) + body)
        .getParent();
  }

  static Path write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  static ToolCall call(String id, String tool, String arguments) {
    return new ToolCall(id, tool, arguments);
  }

  static ToolCall load(String id, String skill) {
    return call(id, "load_skill", "{\"skill\":\"%s\"}".formatted(skill));
  }
}
