package dev.superstep.server.internal.api.studio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A build on a machine without Node, or whose npm cannot fetch what it needs: the server is built
/// without the studio, and everybody is told.
@Tag("SV13")
final class StudioBuildTest {
  @TempDir Path temp;

  /// The exit code and the output of the build, on a path of these programs.
  private String build(Path programs) throws Exception {
    var script = temp.resolve("server/src/main/studio/build.sh");
    Files.createDirectories(script.getParent());
    Files.copy(Path.of("src/main/studio/build.sh"), script);
    Files.writeString(script.resolveSibling("package-lock.json"), "{}");
    var built = temp.resolve("classes/studio");
    Files.createDirectories(built);
    // Of an earlier build: it may be older than the server.
    Files.writeString(built.resolve("index.html"), "old");
    var builder =
        new ProcessBuilder("/bin/sh", script.toString(), built.toString())
            .redirectErrorStream(true);
    builder.environment().put("PATH", programs.toString());
    var process = builder.start();
    var text = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    assertThat(built).doesNotExist();
    return text;
  }

  private Path programs(String... names) throws IOException {
    var folder = Files.createDirectories(temp.resolve("bin"));
    for (var name : names) {
      for (var known : new String[] {"/usr/bin/", "/bin/"}) {
        var program = Path.of(known + name);
        if (!Files.exists(program)) continue;
        Files.createSymbolicLink(folder.resolve(name), program);
        break;
      }
    }
    return folder;
  }

  @Test
  void a_machine_without_npm_builds_a_server_without_the_studio_and_says_so() throws Exception {
    assertThat(build(programs("rm")))
        .isEqualTo("studio: npm is not on PATH. The server is built without the studio.\n");
  }

  @Test
  void an_npm_that_cannot_fetch_does_not_break_the_build() throws Exception {
    var folder = programs("rm", "mkdir", "cp", "cat", "find", "sort", "cksum");
    var npm = Files.writeString(folder.resolve("npm"), "#!/bin/sh\necho no network >&2\nexit 1\n");
    Files.setPosixFilePermissions(npm, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(build(folder))
        .startsWith("studio: npm cannot install its packages (see ")
        .endsWith("The server is built without the studio.\n");
  }

  @Test
  void the_page_of_such_a_server_says_what_is_missing() throws Exception {
    var routes = new Routes();
    new StudioAssets("/dev/superstep/server/nowhere/").addTo(routes);
    var page = (Reply.Bytes) Asked.get(routes, "/studio/");
    assertThat(page.status()).isEqualTo(501);
    assertThat(new String(page.body(), UTF_8))
        .contains("This build has no studio", "Install Node.js 20", "The API works without it.");
  }
}
