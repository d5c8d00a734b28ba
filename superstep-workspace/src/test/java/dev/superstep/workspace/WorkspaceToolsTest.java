package dev.superstep.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.ToolGate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("P36")
@Timeout(60)
class WorkspaceToolsTest {
  @TempDir Path temp;
  private Workspace workspace;

  @BeforeEach
  void make() throws IOException {
    workspace = Workspace.at(Files.createDirectories(temp.resolve("root")));
  }

  @Test
  void a_listing_says_that_it_is_cut_by_depth_if_there_is_more_below() throws Exception {
    workspace.write("one/two/three.txt", "x");
    Files.createDirectories(workspace.root().resolve("empty"));
    assertThat(answer("list_files", "{\"depth\":1}").text())
        .contains("one/")
        .endsWith("[cut off: there is more below level 1; list a directory]");
    assertThat(answer("list_files", "{\"depth\":2}").text())
        .endsWith("[cut off: there is more below level 2; list a directory]");
    assertThat(answer("list_files", "{\"depth\":3}").text()).doesNotContain("[cut off");
    assertThat(workspace.list("empty", 1).isDeeper()).isFalse();
  }

  @Test
  void an_agent_reads_and_writes_files() throws InterruptedException {
    workspace.write("a.txt", "one\ntwo\nthree\n");
    assertThat(answer("read_file", "{\"path\":\"a.txt\"}").text()).isEqualTo("one\ntwo\nthree\n");
    assertThat(answer("read_file", "{\"path\":\"a.txt\",\"firstLine\":2,\"lines\":1}").text())
        .isEqualTo("two\n[lines 2 to 2 of 3]");
    assertThat(answer("read_file", "{\"path\":\"a.txt\",\"firstLine\":9}").text())
        .isEqualTo("[the file has 3 lines]");
    assertThat(answer("write_file", "{\"path\":\"b/c.txt\",\"text\":\"x\"}").text())
        .isEqualTo("Made b/c.txt.");
    assertThat(answer("list_files", "{}").text())
        .isEqualTo("a.txt (14 bytes)\nb/\nb/c.txt (1 byte)");
    assertThat(answer("list_files", "{\"path\":\"b\",\"depth\":1}").text())
        .isEqualTo("c.txt (1 byte)");
  }

  @Test
  void a_model_may_read_the_beginning_of_a_long_file() throws InterruptedException {
    workspace.write("a.txt", "aäb🙂c");
    var texts = new ArrayList<String>();
    for (int most = 1; most <= 9; most++) {
      workspace = workspace.limits(WorkspaceLimits.standard().files(most, 100));
      texts.add(answer("read_file", "{\"path\":\"a.txt\"}").text().replaceAll("\n.*", "|"));
    }
    assertThat(texts)
        .containsExactly("a|", "a|", "aä|", "aäb|", "aäb|", "aäb|", "aäb|", "aäb🙂|", "aäb🙂c");
  }

  @Test
  void errors_are_reported_to_the_model() throws InterruptedException {
    var escaped = answer("read_file", "{\"path\":\"../b.txt\"}");
    assertThat(escaped.error()).isTrue();
    assertThat(escaped.text()).startsWith("Path `../b.txt` leads out of the workspace by `..`.");
    assertThat(answer("read_file", "{\"path\":\"b.txt\"}").text())
        .startsWith("Cannot read `b.txt`: it does not exist.")
        .doesNotContain(temp.toString());
    assertThat(answer("list_files", "{\"depth\":0}").error()).isTrue();
    assertThat(answer("read_file", "{\"path\":\"a\",\"lines\":0}").error()).isTrue();
  }

  @Test
  void a_command_returns_its_exit_code_and_both_outputs() throws InterruptedException {
    workspace =
        workspace
            .commands(AllowedCommand.named("echo"), AllowedCommand.named("ls"))
            .commands(AllowedCommand.named("sleep"))
            .limits(WorkspaceLimits.standard().commands(Duration.ofSeconds(1), 1_000));
    assertThat(answer("run_command", "{\"command\":[\"echo\",\"hi\"]}").text())
        .isEqualTo("exit code 0\nstdout:\nhi");
    var failed = answer("run_command", "{\"command\":[\"ls\",\"none\"]}");
    assertThat(failed.error()).isFalse();
    assertThat(failed.text()).matches("(?s)exit code [12]\nstderr:\n.*none.*");
    var late = answer("run_command", "{\"command\":[\"sleep\",\"300\"]}");
    assertThat(late.error()).isTrue();
    assertThat(late.text()).isEqualTo("killed after 1.0 s");
    assertThat(answer("run_command", "{\"command\":[\"rm\",\"x\"]}").text())
        .isEqualTo("Command `rm x` is not allowed. Allowed: echo, ls, sleep.");
  }

  @Test
  void a_forbidden_fetch_is_published() throws InterruptedException {
    workspace = workspace.hosts("example.org");
    assertThat(answer("fetch_url", "{\"url\":\"http://127.0.0.1/\"}").text())
        .contains("the host `127.0.0.1` is not allowed. Allowed: example.org.");
    assertThat(answer("fetch_url", "{\"url\":\"no address\"}").text()).contains("It is no address");
  }

  @Test
  void tools_that_could_do_nothing_are_left_out() {
    assertThat(names(workspace)).containsExactly("read_file", "write_file", "list_files");
    assertThat(names(workspace.commands(AllowedCommand.named("ls")).hosts("example.org")))
        .contains("run_command", "fetch_url");
  }

  @Test
  @Tag("T31")
  void the_tools_say_what_they_do() {
    var tools = WorkspaceTools.of(workspace.commands(AllowedCommand.named("ls")).hosts("a.org"));
    var all = tools.names().stream().map(name -> tools.find(name).orElseThrow()).toList();
    assertThat(all).hasSize(5).allMatch(tool -> tool.policy().isClassified());
    assertThat(all.stream().filter(tool -> tool.policy().isReadOnly()).map(Tool::name))
        .containsExactly("read_file", "list_files");
    assertThat(all.stream().filter(tool -> tool.policy().isIdempotent()).map(Tool::name))
        .containsExactly("read_file", "write_file", "list_files", "fetch_url");
    assertThat(WorkspaceTools.writeFile(workspace).policy().effects())
        .containsExactly(SideEffect.WRITES_FILES);
  }

  @Test
  @Tag("T35")
  void a_violation_is_an_event_of_the_run() throws InterruptedException {
    var told = Collections.synchronizedList(new ArrayList<WorkspaceEvent>());
    var heard = new ArrayList<WorkspaceEvent>();
    var agent =
        Agent.named("clerk")
            .model(
                ScriptedModel.replying(
                    ScriptedModel.calls(
                        new ToolCall("c1", "read_file", "{\"path\":\"/etc/passwd\"}"),
                        new ToolCall("c2", "read_file", "{\"path\":\"none.txt\"}")),
                    ScriptedModel.text("done")))
            .tools(WorkspaceTools.of(workspace.policy("docs").listener(heard::add)))
            .build();
    var options = RunOptions.defaults().listener(e -> WorkspaceEvent.of(e).ifPresent(told::add));
    assertThat(agent.run("Go.", options).answer()).isEqualTo("done");
    var violated = new WorkspaceEvent.Violated("docs", "tool.path-escape", "read_file", "c1");
    assertThat(told).containsExactly(violated);
    assertThat(heard).containsExactly(violated);
  }

  @Test
  @Tag("T32")
  void the_gate_of_an_agent_decides_whether_a_person_is_asked() throws InterruptedException {
    var agent =
        Agent.named("clerk")
            .model(
                ScriptedModel.replying(
                    ScriptedModel.calls(new ToolCall("c1", "list_files", "{}")),
                    ScriptedModel.calls(
                        new ToolCall("c2", "write_file", "{\"path\":\"a\",\"text\":\"b\"}"))))
            .tools(WorkspaceTools.of(workspace))
            .gate(ToolGate.open().confirming(SideEffect.WRITES_FILES))
            .build();
    var options = RunOptions.thread("t1").checkpoints(new InMemoryCheckpointer());
    assertThat(agent.run("Go.", options)).isInstanceOf(AgentResult.Waiting.class);
    assertThat(workspace.list("").entries()).isEmpty();
  }

  private static List<String> names(Workspace workspace) {
    return WorkspaceTools.of(workspace).names();
  }

  private ToolMessage answer(String tool, String arguments) throws InterruptedException {
    var batch = ToolBatch.of(WorkspaceTools.of(workspace));
    return batch.run(List.of(new ToolCall("c1", tool, arguments))).getFirst();
  }
}
