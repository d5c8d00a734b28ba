package dev.superstep.repl.trajectory;

import dev.superstep.file.PrivateFiles;
import dev.superstep.json.Json;
import dev.superstep.repl.record.ReplayDivergence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The texts of a trajectory: files that are named by their SHA-256.
record Blobs(Path folder) {
  static Blobs in(Path folder) {
    return new Blobs(folder.resolve("blobs"));
  }

  static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  /// Keeps a value.
  ///
  /// @return its digest
  String keep(Json json) throws IOException {
    var name = sha256(json.text());
    var file = folder.resolve(name);
    if (!Files.exists(file)) PrivateFiles.replace(file, json.text());
    return name;
  }

  /// A value of a line.
  ///
  /// @throws ReplayDivergence if it is not the one that was kept
  Json read(Line line, int number) throws IOException {
    if (number >= line.blobs().size()) throw new InvalidTrajectory("a text is missing");
    var name = line.blobs().get(number);
    if (!name.matches("[0-9a-f]{64}")) throw new InvalidTrajectory("`blobs` holds digests alone");
    var text = new String(Files.readAllBytes(folder.resolve(name)), StandardCharsets.UTF_8);
    if (!sha256(text).equals(name)) {
      throw new ReplayDivergence(
          line.cell(), line.call(), "its text was changed after it was recorded");
    }
    return Json.parse(text);
  }
}
