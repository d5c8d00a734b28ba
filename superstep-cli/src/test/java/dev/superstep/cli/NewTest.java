package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/// The folders of `superstep new`, which run without being built by anybody.
class NewTest {
  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
  }

  private String shown(Desk.Said said) {
    return desk.neutral(said.out() + "--- stderr\n" + said.err());
  }

  private List<Path> files(String folder) throws IOException {
    var root = desk.folder().resolve(folder);
    try (var all = Files.walk(root)) {
      return all.filter(Files::isRegularFile).map(root::relativize).sorted().toList();
    }
  }

  @Test
  void an_agent_is_made_and_answers_at_once_by_replies_that_are_labelled_as_written()
      throws Exception {
    var made = desk.run("new", "shop");
    assertThat(made.exit()).isZero();
    var list = files("shop").stream().map(Path::toString).collect(Collectors.joining("\n"));
    var ran = desk.run("run", "shop", "--thread", "t");
    assertThat(ran.exit()).isZero();
    Golden.check(
        "new-agent.txt",
        made.out().replace(desk.folder().toString(), "DESK")
            + "--- files\n"
            + list
            + "\n--- run\n"
            + shown(ran));
    var events = desk.run("run", "shop", "--thread", "u", "--json").lines();
    assertThat(events).allMatch(line -> line.contains("\"source\":\"written\""), "labelled");
  }

  @ParameterizedTest
  @ValueSource(strings = {"agent", "graph", "flow"})
  void the_test_of_a_new_program_passes_offline(String kind) throws Exception {
    assertThat(desk.run("new", "new-" + kind, "--kind", kind).exit()).isZero();
    var folder = desk.folder().resolve("new-" + kind);
    var classes = Files.createDirectory(temp.resolve("classes"));
    var sources =
        files("new-" + kind).stream()
            .filter(file -> file.toString().endsWith(".java"))
            .map(file -> folder.resolve(file).toString())
            .toList();
    assertThat(sources).hasSize(2);
    var words = new java.util.ArrayList<>(List.of("-d", classes.toString(), "-parameters"));
    words.addAll(List.of("-Xlint:all", "-Xlint:-processing", "-Werror", "-proc:none"));
    words.addAll(List.of("-cp", System.getProperty("java.class.path")));
    words.addAll(sources);
    var compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(compiler.run(null, null, null, words.toArray(String[]::new))).isZero();
    var seen = new SummaryGeneratingListener();
    var urls = new java.net.URL[] {classes.toUri().toURL()};
    try (var loader = new java.net.URLClassLoader(urls, getClass().getClassLoader())) {
      var name = "new" + kind + ".New" + kind.substring(0, 1).toUpperCase(java.util.Locale.ROOT);
      var type = loader.loadClass(name + kind.substring(1) + "ProgramTest");
      var request =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(DiscoverySelectors.selectClass(type))
              .build();
      LauncherFactory.create().execute(request, seen);
    }
    var summary = seen.getSummary();
    assertThat(summary.getFailures()).isEmpty();
    assertThat(summary.getTestsSucceededCount()).isPositive();
  }

  @Test
  void a_graph_asks_and_is_resumed_and_a_flow_takes_a_text() throws Exception {
    assertThat(desk.run("new", "notes", "--kind", "graph").exit()).isZero();
    assertThat(desk.run("run", "notes", "--thread", "n").exit()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(desk.run("resume", "n", "--yes").out()).contains("superstep-out/n/note.txt");
    assertThat(desk.run("new", "mail-desk", "--kind", "flow").exit()).isZero();
    var said = desk.run("run", "mail-desk", "--input", "Where is my parcel?");
    assertThat(said.out()).startsWith("Thank you for your mail.").contains("topics: parcel");
  }

  @Test
  void nothing_is_overwritten_and_slips_are_explained() throws Exception {
    desk.write("there/notes.txt", "mine");
    var said = new StringBuilder();
    for (var words :
        List.of(
            List.of("new", "there"),
            List.of("new", "Order_Desk"),
            List.of("new", "../.."),
            List.of("new", ""),
            List.of("new", "shop", "--kind", "agnet"),
            List.of("new", "shop", "--model", "nonsense"),
            List.of("new", "shop", "--model", "ollama://elsewhere:11434/q"))) {
      var one = desk.run(words.toArray(String[]::new));
      assertThat(one.exit()).as(words.toString()).isEqualTo(ExitCodes.USAGE);
      said.append(desk.neutral(one.err()));
    }
    Golden.check("new-wrong.txt", said.toString());
    assertThat(desk.folder().resolve("shop")).doesNotExist();
    assertThat(files("there")).containsExactly(Path.of("notes.txt"));
  }

  @Test
  void the_model_is_written_into_the_folder_and_names_that_java_does_not_take_are_changed()
      throws Exception {
    assertThat(desk.run("new", "int", "--model", "openai://gpt-5.2").exit()).isZero();
    var folder = desk.folder().resolve("int");
    assertThat(folder.resolve("superstep.toml"))
        .content()
        .startsWith("model = \"openai://gpt-5.2\"\n");
    assertThat(folder.resolve("src/main/java/intapp/IntProgram.java")).exists();
    var said = desk.run("run", "int");
    assertThat(said.err()).contains("OPENAI_API_KEY");
    assertThat(desk.run("graph", "int").exit()).isZero();
  }

  @Test
  void at_a_terminal_the_kind_is_asked_for() throws Exception {
    var said = desk.typing("nonsense", "graph").run("new", "notes");
    assertThat(said.exit()).isZero();
    assertThat(said.out()).contains("Please type agent, graph or flow.", "Made graph `notes`");
  }

  @Test
  void changed_sources_are_compiled_at_the_next_run_and_errors_name_their_lines() throws Exception {
    assertThat(desk.run("new", "shop").exit()).isZero();
    assertThat(desk.run("run", "shop").err()).contains("compiled 1 file of src/main/java");
    assertThat(desk.run("run", "shop").err()).doesNotContain("compiled");
    var file = desk.folder().resolve("shop/src/main/java/shop/ShopProgram.java");
    var text = Files.readString(file);
    Files.writeString(file, text.replace("Order 17: two lamps", "Order 17: a piano"));
    assertThat(desk.run("run", "shop").err()).contains("compiled 1 file of src/main/java");
    Files.writeString(file, text.replace("number == 17", "numbr == 17"));
    var said = desk.run("run", "shop");
    assertThat(said.exit()).isEqualTo(ExitCodes.USAGE);
    Golden.check("does-not-compile.txt", desk.neutral(said.err()));
  }

  @Test
  void a_folder_that_needs_maven_is_told_how_it_is_built() throws Exception {
    assertThat(desk.run("new", "shop").exit()).isZero();
    var pom = desk.folder().resolve("shop/pom.xml");
    Files.writeString(
        pom,
        Files.readString(pom)
            .replace(
                "  <dependencies>\n"
                    + "    <dependency>\n"
                    + "      <groupId>dev.superstep</groupId>\n"
                    + "      <artifactId>superstep-starter",
                "  <dependencies>\n"
                    + "    <dependency>\n"
                    + "      <groupId>org.acme</groupId>\n"
                    + "      <artifactId>acme</artifactId>\n"
                    + "    </dependency>\n"
                    + "    <dependency>\n"
                    + "      <groupId>dev.superstep</groupId>\n"
                    + "      <artifactId>superstep-starter"));
    var said = desk.run("run", "shop");
    assertThat(said.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(desk.neutral(said.err()))
        .contains("has no compiled classes in target/dev/classes or target/classes")
        .contains("Build it first: mvn -q -f DESK/shop/pom.xml compile");
  }

  @Test
  void annotation_processors_of_a_folder_do_not_run_and_a_pom_reads_no_other_file()
      throws Exception {
    assertThat(desk.run("new", "shop").exit()).isZero();
    desk.write(
        "shop/src/main/resources/META-INF/services/javax.annotation.processing.Processor",
        "shop.Missing\n");
    assertThat(desk.run("run", "shop").exit()).isZero();
    desk.write(
        "shop/pom.xml", "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><project/>");
    var said = desk.run("run", "shop");
    assertThat(said.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.err()).startsWith("error[program.pom]");
  }

  @Test
  void the_pom_names_versions_of_this_build() throws Exception {
    assertThat(desk.run("new", "shop").exit()).isZero();
    var pom = Files.readString(desk.folder().resolve("shop/pom.xml"));
    var root = Files.readString(Path.of("..").resolve("pom.xml"));
    assertThat(pom).doesNotContain("{{");
    for (var plugin : List.of("resources", "compiler", "surefire")) {
      var pinned =
          pom.replaceAll(
              "(?s).*<artifactId>maven-" + plugin + "-plugin</artifactId>\\s*<version>([^<]+)<.*",
              "$1");
      assertThat(root)
          .containsPattern(
              "<artifactId>maven-" + plugin + "-plugin</artifactId>\\s*<version>" + pinned);
    }
    var junit =
        pom.replaceAll("(?s).*<artifactId>junit-jupiter</artifactId>\\s*<version>([^<]+)<.*", "$1");
    assertThat(root).contains("<junit.version>" + junit + "</junit.version>");
  }

  @Test
  void help_lists_what_only_the_source_tree_has_and_elsewhere_that_says_so() {
    assertThat(desk.run("help").out())
        .isEqualTo(desk.run("--help").out())
        .contains("Only in the source tree", "  superstep bench ");
    assertThat(desk.run("help", "new").out()).isEqualTo(desk.run("new", "--help").out());
    var said = desk.run("bench", "--only", "W3");
    assertThat(said.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.err()).startsWith("error[command.source-tree]: `superstep bench`");
  }
}
