package dev.superstep.sandbox;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// What would confine a command, as text that is the same on every run, and its hash.
final class PolicyText {
  private PolicyText() {}

  static String hash(SandboxCommand command, SandboxProbe probe) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of()
          .formatHex(digest.digest(of(command, probe).getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  static String of(SandboxCommand command, SandboxProbe probe) {
    var lines = new ArrayList<String>();
    lines.add("superstep sandbox policy 1");
    lines.add("tier " + command.tier());
    lines.add("system " + quoted(probe.system()));
    addAll(lines, "with", probe.of(command.tier()).facts());
    lines.add("directory " + quoted(command.directory().toString()));
    addAll(lines, "writable", command.writable().stream().map(Object::toString).sorted().toList());
    addAll(lines, "readable", command.readable().stream().map(Object::toString).sorted().toList());
    addAll(lines, "protected", command.protectedNames().names().stream().sorted().toList());
    lines.add("metadata locked " + command.isMetadataLocked());
    lines.add("limits " + command.limits());
    lines.add("written bytes " + command.output().writtenBytes());
    lines.add("timeout " + command.timeout());
    lines.add("relay " + command.relay().isPresent());
    command.relay().ifPresent(relay -> addAll(lines, "host", relay.allowed()));
    return String.join("\n", lines);
  }

  private static void addAll(List<String> lines, String name, List<String> values) {
    for (var value : values) lines.add(name + " " + quoted(value));
  }

  /// No value can look like another line.
  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }
}
