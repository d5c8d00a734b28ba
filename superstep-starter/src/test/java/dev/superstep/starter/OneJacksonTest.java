package dev.superstep.starter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.tool.Tool;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The parsers for JSON that an agent on the starter loads: one. Another comes only with a vendor's
/// own library.
@Timeout(120)
class OneJacksonTest {
  private static final Pattern SECOND =
      Pattern.compile("com\\.fasterxml\\.jackson\\.(?!annotation\\.)");

  record City(String name) {}

  /// An agent with a tool, whose thread is in SQLite.
  public static void main(String[] arguments) throws Exception {
    var weather = Tool.of("weather", "Tells the weather.", City.class, (_, _) -> "Sunny.");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("1", "weather", "{\"name\":\"Oslo\"}")),
            ScriptedModel.text("The sun shines."));
    var agent = Agent.named("weather").model(model).tools(weather).build();
    try (var store = SqliteCheckpointer.open(Path.of("threads.db"))) {
      var options = RunOptions.thread("t").checkpoints(store);
      System.out.println(agent.run("Oslo?", options).answer());
    }
  }

  @Test
  void an_agent_with_sqlite_loads_one_jackson(@TempDir Path temp) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var words =
        List.of(
            java,
            "--enable-native-access=ALL-UNNAMED",
            "-Xlog:class+load:file=loaded.txt",
            "-cp",
            System.getProperty("java.class.path"),
            OneJacksonTest.class.getName());
    var out = temp.resolve("out.txt").toFile();
    var process = new ProcessBuilder(words).directory(temp.toFile()).redirectOutput(out);
    assertThat(process.redirectErrorStream(true).start().waitFor()).isZero();
    assertThat(out).content().endsWith("The sun shines.\n"); // behind the warnings of SLF4J
    var loaded = Files.readAllLines(temp.resolve("loaded.txt"));
    assertThat(loaded).anyMatch(line -> line.contains(" tools.jackson.databind."));
    assertThat(loaded).noneMatch(line -> SECOND.matcher(line).find());
  }

  @Test
  void the_starter_brings_no_second_jackson() {
    var jars = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    var jackson =
        jars.stream()
            .map(jar -> String.valueOf(Path.of(jar).getFileName()))
            .filter(name -> name.startsWith("jackson-"))
            .toList();
    assertThat(jackson).anyMatch(name -> name.startsWith("jackson-databind-3."));
    assertThat(jackson)
        .allMatch(name -> name.startsWith("jackson-annotations-") || name.contains("-3."), "of 3");
  }
}
