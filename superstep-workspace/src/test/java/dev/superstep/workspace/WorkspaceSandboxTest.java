package dev.superstep.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.superstep.message.ToolCall;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.SandboxError;
import dev.superstep.sandbox.SandboxProbe;
import dev.superstep.sandbox.Tier;
import dev.superstep.tool.ToolBatch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class WorkspaceSandboxTest {
  @TempDir Path temp;
  private Path outside;
  private Workspace workspace;

  @BeforeEach
  void make() throws IOException {
    var real = temp.toRealPath();
    outside = Files.writeString(real.resolve("outside"), "not for you");
    workspace =
        Workspace.at(Files.createDirectories(real.resolve("root")))
            .commands(AllowedCommand.named("sh").anyArguments());
  }

  private String answer(Workspace of, String script) throws InterruptedException {
    var words = "{\"command\":[\"sh\",\"-c\",\"%s\"]}".formatted(script.replace("\"", "\\\""));
    var call = new ToolCall("c1", "run_command", words);
    return ToolBatch.of(WorkspaceTools.of(of)).run(List.of(call)).getFirst().text();
  }

  private Workspace in(Tier tier) {
    var sandbox = Sandbox.open();
    assumeTrue(
        sandbox.machine().isAvailable(tier), sandbox.machine().of(tier).missing().toString());
    return workspace.sandbox(sandbox, tier);
  }

  @ParameterizedTest
  @EnumSource(names = {"LANDLOCK", "BUBBLEWRAP"})
  void the_command_tool_works_in_the_workspace_and_nowhere_else(Tier tier) throws Exception {
    var started = new ArrayList<WorkspaceEvent>();
    var confined = in(tier).listener(started::add);
    assertThat(answer(confined, "echo made >made; cat made"))
        .isEqualTo("exit code 0\nstdout:\nmade");
    assertThat(workspace.read("made")).isEqualTo("made\n");
    assertThat(answer(confined, "cat '%s'".formatted(outside)))
        .contains("exit code 1", "stderr:")
        .doesNotContain("not for you");
    // It may well succeed: in namespaces there is another folder of that name, which ends with it.
    var written = answer(confined, "echo x >'%s'; echo x >'%s.new'".formatted(outside, outside));
    assertThat(written).startsWith("exit code");
    assertThat(outside).hasContent("not for you");
    assertThat(Path.of(outside + ".new")).doesNotExist();
    assertThat(started)
        .filteredOn(WorkspaceEvent.CommandStarted.class::isInstance)
        .hasSize(3)
        .allSatisfy(
            event -> assertThat(((WorkspaceEvent.CommandStarted) event).tier()).isEqualTo(tier));
  }

  @ParameterizedTest
  @EnumSource(names = {"LANDLOCK", "BUBBLEWRAP"})
  void the_command_tool_reaches_no_network(Tier tier) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "needs bash, which opens connections");
    try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var connect =
          "bash -c 'echo x >/dev/tcp/127.0.0.1/%d' && echo sent".formatted(server.getLocalPort());
      assertThat(answer(in(tier), connect)).contains("exit code").doesNotContain("sent");
      assertThat(answer(workspace, connect)).contains("sent"); // not in the first tier
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LANDLOCK", "BUBBLEWRAP"})
  void a_missing_tier_is_named_with_its_reason_and_no_command_runs(Tier tier) {
    var reports = new ArrayList<SandboxProbe.TierReport>();
    for (var one : Tier.values()) {
      boolean isThere = one != tier;
      var missing = isThere ? List.<String>of() : List.of("nothing holds it on this machine");
      reports.add(
          new SandboxProbe.TierReport(one, isThere, List.of(), List.of(), List.of(), missing));
    }
    var sandbox = Sandbox.open(new SandboxProbe("test", reports));
    assertThatThrownBy(() -> workspace.sandbox(sandbox, tier))
        .isInstanceOf(SandboxError.TierUnavailable.class)
        .hasMessage(
            "Tier %s cannot be held here: nothing holds it on this machine. Take another tier, or"
                    .formatted(tier)
                + " install what is missing.");
    assertThat(workspace.tier()).isEqualTo(Tier.PROCESS);
  }
}
