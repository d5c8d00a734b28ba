package dev.superstep.skills;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// A skill with all files of its folder, as they were when it was read. Whatever happens to the
/// folder, it stays the same: what its digest stands for is what is shown and run. Immutable.
public final class Skill {
  static final String FILE = "SKILL.md";
  static final String SCRIPTS = "scripts/";

  private final Path folder;
  private final SkillDescription description;
  private final String instructions;
  private final NavigableMap<String, byte[]> files;
  private final String digest;

  /// @param files by their paths in the folder, with `/`
  Skill(Path folder, SkillDescription description, String instructions, Map<String, byte[]> files) {
    this.folder = folder;
    this.description = description;
    this.instructions = instructions;
    this.files = new TreeMap<>(files);
    this.digest = digest(this.files);
  }

  /// The name of its folder.
  public String name() {
    return description.name();
  }

  /// The description that it gives of itself.
  public SkillDescription description() {
    return description;
  }

  /// The folder that it was read from.
  public Path folder() {
    return folder;
  }

  /// The text of its `SKILL.md` after the description. Hidden characters are shown by their
  /// numbers.
  public String instructions() {
    return instructions;
  }

  /// The paths of its files, in order, with `/` between their names.
  public List<String> files() {
    return List.copyOf(files.keySet());
  }

  /// The scripts among its files: those in `scripts`.
  public List<String> scripts() {
    return files.keySet().stream().filter(path -> path.startsWith(SCRIPTS)).toList();
  }

  /// The digest of the paths and bytes of all its files, such as `sha256:1f...`. A person confirms
  /// the skill by it.
  public String digest() {
    return digest;
  }

  /// The size of a file in bytes.
  ///
  /// @throws IllegalArgumentException if it has no such file
  public int size(String path) {
    return find(path).orElseThrow(() -> unknown(path)).length;
  }

  /// The bytes of a file.
  ///
  /// @throws IllegalArgumentException if it has no such file
  public byte[] bytes(String path) {
    return find(path).orElseThrow(() -> unknown(path)).clone();
  }

  private IllegalArgumentException unknown(String path) {
    return new IllegalArgumentException("skill `" + name() + "` has no file `" + path + "`");
  }

  private Optional<byte[]> find(String path) {
    return Optional.ofNullable(files.get(path));
  }

  /// The text of a file, if it has that file and it is UTF-8. Hidden characters are shown by their
  /// numbers.
  public Optional<String> text(String path) {
    return find(path).flatMap(Skill::decoded).map(PlainText::visible);
  }

  static Optional<String> decoded(byte[] bytes) {
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)))
          .map(Object::toString);
    } catch (CharacterCodingException _) {
      return Optional.empty();
    }
  }

  /// The digest of files: for each its path and its bytes, with their lengths before them.
  static String digest(NavigableMap<String, byte[]> files) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      for (var file : files.entrySet()) {
        add(sha, file.getKey().getBytes(StandardCharsets.UTF_8));
        add(sha, file.getValue());
      }
      return "sha256:" + HexFormat.of().formatHex(sha.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  private static void add(MessageDigest sha, byte[] bytes) {
    sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
    sha.update(bytes);
  }

  @Override
  public String toString() {
    return "Skill[" + name() + ", " + files.size() + " files, " + digest + "]";
  }
}
