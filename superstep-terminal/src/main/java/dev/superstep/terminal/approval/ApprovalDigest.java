package dev.superstep.terminal.approval;

import dev.superstep.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The SHA-256 digest of an [Execution], over canonical JSON, with its parts, so that a difference
/// can be named. Files are read now. Immutable.
///
/// @param parts the digest or the text of each part, by name
/// @param hex of all parts
public record ApprovalDigest(Map<String, String> parts, String hex) {
  private static final String MISSING = "missing";
  private static final int BUFFER = 64 * 1024;
  // Values of variables are keyed, so that nobody can guess a short secret from a stored digest. An
  // approval never outlives the process, and so the key need not.
  private static final SecretKeySpec KEY = key();

  public ApprovalDigest {
    parts = Collections.unmodifiableMap(new TreeMap<>(parts));
  }

  /// The digest of what would start now.
  public static ApprovalDigest of(Execution execution) {
    var parts = new TreeMap<String, String>();
    parts.put("command", sha256(execution.script()));
    parts.put("arguments", sha256(String.join("\0", execution.argv())));
    parts.put("directory", place(execution.directory()));
    parts.put("workspace", place(execution.workspace()));
    parts.put("confinement", execution.confinement().toString());
    parts.put("rules", execution.policy());
    parts.put("plan", execution.plan());
    parts.put("conversation", execution.conversation());
    parts.put("input", sha256(execution.stdin()));
    parts.put("time limit", execution.timeout().toString());
    execution.environment().forEach((name, value) -> parts.put("variable " + name, keyed(value)));
    for (var file : execution.files()) parts.put("file " + file, content(file));
    return new ApprovalDigest(parts, sha256(Json.of(new Parts(parts)).canonical().text()));
  }

  private record Parts(Map<String, String> parts) {}

  /// The names of the parts that differ, in order.
  public List<String> changes(ApprovalDigest other) {
    var names = new TreeSet<>(parts.keySet());
    names.addAll(other.parts.keySet());
    var changed = new ArrayList<String>();
    for (var name : names) {
      var before = parts.get(name);
      if (before == null || !before.equals(other.parts.get(name))) changed.add(name);
    }
    return changed;
  }

  /// The real path of a directory and what the file system calls it: another directory in its place
  /// has another number.
  private static String place(Path directory) {
    try {
      var real = directory.toRealPath();
      var key = Files.readAttributes(real, BasicFileAttributes.class).fileKey();
      return real + " " + key;
    } catch (IOException _) {
      return MISSING;
    }
  }

  /// The real path of a file and the digest of its bytes.
  private static String content(Path file) {
    try {
      var real = file.toRealPath();
      if (!Files.isRegularFile(real)) return real + " no file";
      try (var in = Files.newInputStream(real)) {
        return real + " " + sha256(in);
      }
    } catch (IOException e) {
      return Files.exists(file) ? "unreadable" : MISSING;
    }
  }

  /// The SHA-256 digest of a text, as hex.
  public static String sha256(String text) {
    return HexFormat.of().formatHex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String sha256(InputStream in) throws IOException {
    var digest = sha256();
    var buffer = new byte[BUFFER];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      digest.update(buffer, 0, read);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  private static SecretKeySpec key() {
    var bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return new SecretKeySpec(bytes, "HmacSHA256");
  }

  private static String keyed(String value) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(KEY);
      return HexFormat.of().formatHex(mac.doFinal(value.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException | java.security.InvalidKeyException e) {
      throw new AssertionError("every JDK has HmacSHA256", e);
    }
  }
}
