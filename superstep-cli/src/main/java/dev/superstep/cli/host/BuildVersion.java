package dev.superstep.cli.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/// The version of this build.
public final class BuildVersion {
  private static final Set<List<String>> ASKED = Set.of(List.of("--version"), List.of("-V"));

  private BuildVersion() {}

  /// Returns true if a command line asks for the version and nothing else.
  public static boolean isAsked(String... arguments) {
    return ASKED.contains(List.of(arguments));
  }

  /// Returns the version as the command prints it.
  public static String line() throws IOException {
    return "superstep " + number();
  }

  /// Returns the version alone, such as `1.2.0`.
  public static String number() throws IOException {
    try (var text = BuildVersion.class.getResourceAsStream("version.txt")) {
      return text == null ? "?" : new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }
}
