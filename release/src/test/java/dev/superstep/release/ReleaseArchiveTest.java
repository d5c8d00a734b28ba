package dev.superstep.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The archive of the command, unpacked elsewhere and started in a root file system that has a
/// shell, the C library, and nothing else.
@Tag("long")
class ReleaseArchiveTest {
  private static final List<String> LIBRARIES =
      List.of(
          "ld-linux-x86-64.so.2",
          "libc.so.6",
          "libdl.so.2",
          "libm.so.6",
          "libpthread.so.0",
          "librt.so.1");

  @TempDir static Path temp;
  private static Path archive;
  private static Path unpacked;

  @BeforeAll
  static void unpack_the_archive() throws Exception {
    Commands.need("bwrap");
    archive = build();
    unpacked = unpack(archive, temp.resolve("unpacked"));
    bare(temp.resolve("root"));
    Files.createDirectories(temp.resolve("work"));
  }

  private static Path build() throws Exception {
    Commands.in(Commands.root()).run("./superstep", "release", "archive", "-Ddev").well();
    try (var files = Files.list(Commands.root().resolve("target/release"))) {
      return files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst().orElseThrow();
    }
  }

  private static Path unpack(Path archive, Path folder) throws Exception {
    Files.createDirectories(folder);
    Commands.in(folder).run("tar", "-xzf", archive.toString()).well();
    try (var files = Files.list(folder)) {
      return files.findFirst().orElseThrow();
    }
  }

  /// A root file system with a shell and the C library.
  private static void bare(Path root) throws IOException {
    for (var name : List.of("bin", "lib64", "opt/superstep", "work", "proc", "dev", "tmp")) {
      Files.createDirectories(root.resolve(name));
    }
    Files.copy(Path.of("/bin/sh").toRealPath(), root.resolve("bin/sh"));
    Files.createSymbolicLink(root.resolve("lib"), Path.of("lib64"));
    for (var name : LIBRARIES) {
      var from =
          List.of("/lib64", "/lib/x86_64-linux-gnu").stream()
              .map(folder -> Path.of(folder, name))
              .filter(Files::exists)
              .findFirst();
      if (from.isPresent())
        Files.copy(from.get().toRealPath(), root.resolve("lib64").resolve(name));
    }
  }

  private static Commands.Ended there(Map<String, String> variables, String... words)
      throws Exception {
    var all = new ArrayList<>(List.of("bwrap", "--unshare-all", "--die-with-parent", "--clearenv"));
    all.addAll(List.of("--ro-bind", temp.resolve("root").toString(), "/"));
    all.addAll(List.of("--ro-bind", unpacked.toString(), "/opt/superstep"));
    all.addAll(List.of("--bind", temp.resolve("work").toString(), "/work"));
    all.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/work"));
    all.addAll(List.of("--setenv", "PATH", "/opt/superstep/bin:/bin", "--setenv", "HOME", "/work"));
    variables.forEach((name, value) -> all.addAll(List.of("--setenv", name, value)));
    all.addAll(List.of(words));
    return Commands.in(temp).run(all);
  }

  private static Commands.Ended there(String... words) throws Exception {
    return there(Map.of(), words);
  }

  @Test
  void the_command_runs_where_no_java_is() throws Exception {
    assertThat(there("sh", "-c", "command -v java").exit()).isNotZero();
    assertThat(there("superstep", "--version").well().text()).startsWith("superstep ");

    var ran = there("superstep", "run", "/opt/superstep/examples/refunds", "--yes").well();
    var threads = there("superstep", "threads", "list").well();

    assertThat(ran.text()).doesNotContain("WARNING");
    assertThat(threads.text()).contains("refunds");
  }

  @Test
  void a_new_program_is_compiled_and_run_there() throws Exception {
    there("superstep", "new", "hello").well();

    var ran = there("superstep", "run", "hello").well();

    assertThat(ran.text()).contains("compiled 1 file", "thread: hello-");
  }

  @Test
  void its_class_cache_is_taken_where_it_was_not_made() throws Exception {
    // With this, a JVM that cannot take its cache does not start.
    var must = Map.of("JAVA_TOOL_OPTIONS", "-XX:AOTMode=on");

    there(must, "superstep", "threads", "list").well();

    Files.move(unpacked.resolve("lib/superstep.aot"), temp.resolve("away"));
    try {
      assertThat(there("superstep", "threads", "list").exit()).as("without a cache").isZero();
    } finally {
      Files.move(temp.resolve("away"), unpacked.resolve("lib/superstep.aot"));
    }
  }

  @Test
  void what_needs_the_source_tree_says_so() throws Exception {
    for (var word : List.of("test", "install", "format", "site", "bench", "release")) {
      var ended = there("superstep", word);

      assertThat(ended.exit()).isEqualTo(2);
      assertThat(ended.text()).contains("`superstep " + word + "`", "source tree");
    }
  }

  @Test
  void completions_and_the_manual_page_are_inside() {
    assertThat(unpacked.resolve("share/bash-completion/completions/superstep")).isNotEmptyFile();
    assertThat(unpacked.resolve("share/zsh/site-functions/_superstep")).isNotEmptyFile();
    assertThat(unpacked.resolve("share/man/man1/superstep.1")).isNotEmptyFile();
    assertThat(unpacked.resolve("lib/bom.json")).isNotEmptyFile();
  }

  @Test
  void sizes_and_starts_are_told() throws Exception {
    var run = new String[] {"superstep", "run", "/opt/superstep/examples/refunds", "--yes"};
    there(run).well();
    long began = System.nanoTime();
    there(run).well();
    var took = Duration.ofNanos(System.nanoTime() - began);
    var load = Files.readString(Path.of("/proc/loadavg")).split(" ")[0];

    Commands.figure(Files.size(archive) / 1_000_000 + " MB packed");
    Commands.figure(
        "a second run of an example took " + took.toMillis() + " ms at a load of " + load);
  }

  @Test
  void a_second_archive_differs_in_the_caches_of_classes_only() throws Exception {
    var first = digests(unpacked);
    var second = digests(unpack(build(), temp.resolve("again")));

    assertThat(Commands.different(first, second)).isEmpty();
    Commands.figure(first.size() + " files of two archives are the same, its class cache not");
  }

  private static Map<String, String> digests(Path folder) throws Exception {
    var all = new TreeMap<String, String>();
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var name = folder.relativize(file).toString();
        if (name.endsWith(".aot")) continue;
        var digest = java.security.MessageDigest.getInstance("SHA-256");
        all.put(name, HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file))));
      }
    }
    return all;
  }
}
