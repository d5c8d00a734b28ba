package dev.superstep.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two builds of everything that goes to a Maven repository, in two folders, the second one signed
/// with a key that is thrown away.
@Tag("long")
class ReleaseJarsTest {
  private static final String SNAPSHOT = "0.1.0-SNAPSHOT";
  private static final String VERSION = "0.1.0";
  private static final String KEY = "dry-run@superstep.test";

  @TempDir static Path temp;
  private static Path keys;
  private static Path first;
  private static Path second;

  @BeforeAll
  static void build_twice() throws Exception {
    Commands.need("gpg");
    // Short, since the agent of GnuPG listens on a socket in it.
    keys = Files.createTempDirectory("ss-gpg");
    var gpg = Commands.in(temp).with("GNUPGHOME", keys.toString());
    gpg.run("gpg", "--batch", "--passphrase", "", "--quick-generate-key", KEY, "ed25519", "sign")
        .well();
    first = build(temp.resolve("one"), gpg);
    second = build(temp.resolve("another/place"), gpg, "-Psign", "-Dgpg.keyname=" + KEY);
  }

  @AfterAll
  static void stop_the_agent() throws Exception {
    if (keys == null) return;
    Commands.in(temp).with("GNUPGHOME", keys.toString()).run("gpgconf", "--kill", "gpg-agent");
  }

  /// Builds a copy of the tree under a version that is no snapshot, as a release does.
  private static Path build(Path folder, Commands commands, String... more) throws Exception {
    for (var name : Commands.sources()) {
      var file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      var from = Commands.root().resolve(name);
      if (name.endsWith("pom.xml")) {
        Files.writeString(file, Files.readString(from).replace(SNAPSHOT, VERSION));
      } else {
        Files.copy(from, file);
        if (Files.isExecutable(from)) file.toFile().setExecutable(true);
      }
    }
    var words = new ArrayList<>(List.of("./superstep", "release", "jars"));
    // To try this test on a few modules.
    var some = System.getProperty("superstep.release.modules", "");
    if (!some.isEmpty()) words.add(some);
    words.addAll(List.of("-Ddev", "-q", "-T1C"));
    words.addAll(List.of(more));
    new Commands(folder, commands.variables()).run(words).well();
    return folder.resolve("target/release/repository/dev/superstep");
  }

  @Test
  void each_file_is_the_same_in_both_builds() throws Exception {
    var one = digests(first);
    var other = digests(second);

    assertThat(one).hasSizeGreaterThan(10);
    assertThat(Commands.different(one, other)).isEmpty();
    Commands.figure(one.size() + " files are the same in two builds");
  }

  @Test
  void each_module_has_sources_and_javadoc_and_a_bill_of_materials() throws Exception {
    int modules = 0;
    for (var folder : folders(second)) {
      var name = folder.getFileName() + "-" + VERSION;
      var version = folder.resolve(VERSION);
      assertThat(version.resolve(name + ".pom")).exists();
      if (!Files.exists(version.resolve(name + ".jar"))) continue;
      modules++;
      assertThat(entries(version.resolve(name + "-sources.jar")))
          .anyMatch(entry -> entry.endsWith(".java"));
      assertThat(entries(version.resolve(name + "-javadoc.jar"))).contains("index.html");
      assertThat(Files.readString(version.resolve(name + "-cyclonedx.json")))
          .contains("\"bomFormat\" : \"CycloneDX\"", "\"name\" : \"" + folder.getFileName());
    }
    assertThat(modules).isPositive();
    Commands.figure(modules + " modules with sources, Javadoc and a bill of materials");
  }

  @Test
  void nothing_of_a_module_that_is_not_published_is_there() throws Exception {
    assertThat(folders(second))
        .allMatch(folder ->
            Files.exists(Commands.root().resolve(folder.getFileName()))
                || folder.endsWith("superstep-parent"));
  }

  @Test
  void each_file_has_a_signature_that_its_key_verifies() throws Exception {
    var gpg = Commands.in(temp).with("GNUPGHOME", keys.toString());
    int verified = 0;
    for (var file : files(second)) {
      if (!file.toString().matches(".*\\.(jar|pom|json|xml)")
          || file.endsWith("maven-metadata.xml")) continue;
      var signature = Path.of(file + ".asc");
      assertThat(signature).exists();
      gpg.run("gpg", "--batch", "--verify", signature.toString(), file.toString()).well();
      verified++;
    }
    var any = files(second).stream().filter(file -> file.toString().endsWith(".jar")).findFirst();
    var signature = any.orElseThrow() + ".asc";
    assertThat(gpg.run("gpg", "--batch", "--verify", signature, signature).exit())
        .as("a signature of another file")
        .isNotZero();
    Commands.figure(verified + " signatures verified");
  }

  private static List<Path> folders(Path repository) throws IOException {
    try (var all = Files.list(repository)) {
      return all.filter(Files::isDirectory).sorted().toList();
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /// Signatures and the index of versions have the time in them.
  private static Map<String, String> digests(Path folder) throws Exception {
    var all = new TreeMap<String, String>();
    for (var file : files(folder)) {
      var name = folder.relativize(file).toString();
      if (name.contains(".asc") || name.contains("maven-metadata.xml")) continue;
      var digest = java.security.MessageDigest.getInstance("SHA-256");
      all.put(name, HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file))));
    }
    return all;
  }

  private static List<String> entries(Path jar) throws IOException {
    try (var zip = new java.util.zip.ZipFile(jar.toFile())) {
      return zip.stream().map(java.util.zip.ZipEntry::getName).toList();
    }
  }
}
