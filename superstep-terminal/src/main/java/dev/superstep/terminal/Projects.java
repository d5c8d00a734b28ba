package dev.superstep.terminal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Recognizes the project in a directory, and the programs that are there for it, by the names of
/// files alone.
final class Projects {
  private static final List<Map.Entry<String, String>> KINDS =
      List.of(
          Map.entry("pom.xml", "maven"),
          Map.entry("build.gradle", "gradle"),
          Map.entry("build.gradle.kts", "gradle"),
          Map.entry("package.json", "node"),
          Map.entry("pyproject.toml", "python"),
          Map.entry("requirements.txt", "python"),
          Map.entry("Cargo.toml", "cargo"),
          Map.entry("go.mod", "go"),
          Map.entry("Makefile", "make"),
          Map.entry("CMakeLists.txt", "cmake"));
  private static final List<String> TOOLS =
      List.of(
          "git", "make", "mvn", "gradle", "java", "node", "npm", "python3", "pip", "cargo", "go",
          "docker", "podman", "kubectl", "gcc", "rg", "jq", "curl");

  private Projects() {}

  static String kind(Path workspace) {
    for (var kind : KINDS) {
      if (Files.exists(workspace.resolve(kind.getKey()))) return kind.getValue();
    }
    return "";
  }

  static List<String> tools(String path) {
    var found = new ArrayList<String>();
    for (var tool : TOOLS) {
      for (var directory : path.split(":")) {
        if (!directory.startsWith("/")) continue;
        if (Files.isExecutable(Path.of(directory, tool))) {
          found.add(tool);
          break;
        }
      }
    }
    return found;
  }
}
