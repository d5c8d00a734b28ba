package dev.superstep.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.message.ToolCall;
import dev.superstep.workspace.AllowedCommand;
import dev.superstep.workspace.Workspace;
import dev.superstep.workspace.WorkspaceLimits;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every error of tools, provoked, as people and models read it.
@Tag("P38")
class ToolErrorsTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/tool-errors.txt");

  @TempDir Path temp;

  record Nothing() {}

  record City(String name) {}

  @Test
  void every_error_says_what_and_where_and_what_to_do() throws IOException {
    var text = new StringBuilder();
    var met = new LinkedHashSet<Class<?>>();
    for (var one : provocations().entrySet()) {
      var error = catchThrowableOfType(ToolError.class, one.getValue());
      assertThat(error).as(one.getKey()).isNotNull();
      met.add(error.getClass());
      text.append("# %s%n".formatted(one.getKey()))
          .append("%s %s%n".formatted(error.getClass().getSimpleName(), error.code()))
          .append("%s%n%n".formatted(error.getMessage()));
    }
    assertThat(met)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.asList(ToolError.class.getPermittedSubclasses()));
    var shown = text.toString().replace("\r\n", "\n");
    assertThat(shown).doesNotContain(temp.toString());
    if ("write".equals(System.getProperty("superstep.golden"))) {
      Files.createDirectories(GOLDEN.getParent());
      Files.writeString(GOLDEN, shown);
    }
    assertThat(shown).isEqualTo(Files.readString(GOLDEN));
  }

  @Test
  void a_result_that_cannot_be_written_is_reported_to_the_model() throws InterruptedException {
    var answer = ToolBatch.of(Tools.of(stray())).run(List.of(call("look", "{}"))).getFirst();
    assertThat(answer.error()).isTrue();
    assertThat(answer.text()).startsWith("Tool `look` did its work, but its result cannot be");
  }

  private Map<String, ThrowingCallable> provocations() throws IOException {
    var all = new LinkedHashMap<String, ThrowingCallable>();
    calls(all);
    files(all);
    others(all);
    return all;
  }

  private static void calls(Map<String, ThrowingCallable> all) {
    var none = ToolCaller.of(Tools.none()).withOnUnknown(new OnUnknownTool.Fail());
    var one = ToolCaller.of(Tools.of(city())).withOnUnknown(new OnUnknownTool.Fail());
    var strict = ToolCaller.of(Tools.of(city())).withOnBadArguments(OnBadArguments.FAIL);
    all.put("a tool that is not there", () -> one.check(call("wether", "{}")));
    all.put("a tool where there are none", () -> none.check(call("weather", "{}")));
    all.put("arguments of another type", () -> strict.check(call("weather", "{\"name\":7}")));
    all.put("arguments that are no JSON", () -> strict.check(call("weather", "{name")));
    all.put(
        "a result without a codec",
        () -> stray().run("{}", new ToolContext("look", "c1", second(), setting())));
    all.put("a value that was not injected", () -> ToolDependencies.none().get(Path.class, "look"));
    all.put(
        "a value of another type",
        () -> ToolDependencies.none().and(String.class, "x").get(Path.class, "look"));
  }

  private void files(Map<String, ThrowingCallable> all) throws IOException {
    var root = Files.createDirectories(temp.resolve("root"));
    Files.createDirectory(root.resolve("folder"));
    Files.writeString(root.resolve("file.txt"), "text");
    Files.write(root.resolve("logo.png"), new byte[] {(byte) 0xff});
    Files.createSymbolicLink(root.resolve("out"), temp);
    Files.createSymbolicLink(root.resolve("dangling"), Path.of("nowhere"));
    var workspace = Workspace.at(root);
    var small = workspace.limits(WorkspaceLimits.standard().files(3, 3));
    all.put("a file that is not there", () -> workspace.read("none.txt"));
    all.put("a directory as a file", () -> workspace.read("folder"));
    all.put("a file as a directory", () -> workspace.list("file.txt"));
    all.put("a path that goes up", () -> workspace.read("../secret.txt"));
    all.put("a path from the top", () -> workspace.read("/etc/passwd"));
    all.put("a link that leads out", () -> workspace.read("out/secret.txt"));
    all.put("a link to nothing", () -> workspace.write("dangling", "x"));
    all.put("an address as a path", () -> workspace.read("file:///etc/passwd"));
    all.put("a home directory", () -> workspace.read("~/.ssh/id_rsa"));
    all.put("a path of Windows", () -> workspace.read("C:\\secret.txt"));
    all.put("a path that turns text around", () -> workspace.read("a\u202Etxt.exe"));
    all.put("a very long path", () -> workspace.read("/" + "long".repeat(100)));
    all.put(
        "a file that may only be read",
        () -> workspace.reading(root.resolve("folder")).write("folder/a.txt", "x"));
    all.put("a file that is not text", () -> workspace.read("logo.png"));
    all.put("a file that is too long to read", () -> small.read("file.txt"));
    all.put("a file that is too long to write", () -> small.write("file.txt", "more"));
  }

  private void others(Map<String, ThrowingCallable> all) {
    var bare = Workspace.at(temp);
    var workspace =
        bare.commands(AllowedCommand.named("git").only("status", "diff"))
            .commands(AllowedCommand.named("no-such-program"))
            .hosts("example.org", "localhost");
    all.put("a command where none is allowed", () -> bare.run(List.of("ls")));
    all.put("a command that is not allowed", () -> workspace.run(List.of("rm", "-rf", "/")));
    all.put("a line for a shell", () -> workspace.run(List.of("git status | sh")));
    all.put("other arguments", () -> workspace.run(List.of("git", "push")));
    all.put("an option that is not allowed", () -> workspace.run(List.of("git", "diff", "-O")));
    all.put("a file of git", () -> bare.write(".git/config", "x"));
    all.put("no command", () -> workspace.run(List.of()));
    all.put("a program that is missing", () -> workspace.run(List.of("no-such-program")));
    all.put("a host where none is allowed", () -> bare.fetch(URI.create("http://example.org/")));
    all.put("another host", () -> workspace.fetch(URI.create("http://example.com:81/x?y=z")));
    all.put("a host that is this machine", () -> workspace.fetch(URI.create("http://localhost/")));
    all.put("an address of a file", () -> workspace.fetch(URI.create("file:///etc/passwd")));
    all.put("an address without a host", () -> workspace.fetch(URI.create("http:/x")));
    all.put(
        "an address with a password",
        () -> workspace.fetch(URI.create("https://me:word@example.org/")));
  }

  private static Tool city() {
    return Tool.of("weather", "Tells the weather.", City.class, (city, _) -> city.name());
  }

  private static Tool stray() {
    return Tool.of("look", "Looks.", Nothing.class, (_, _) -> new Thread());
  }

  private static ToolCall call(String tool, String arguments) {
    return new ToolCall("c1", tool, arguments);
  }

  private static java.time.Duration second() {
    return java.time.Duration.ofSeconds(1);
  }

  private static ToolContext.Setting setting() {
    return ToolContext.Setting.of(ToolDependencies.none());
  }
}
