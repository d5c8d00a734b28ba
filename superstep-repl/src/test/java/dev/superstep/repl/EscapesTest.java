package dev.superstep.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Ways out of the sandboxes of Python, JavaScript, Lua and Rhai, as a cell would try them: each is
/// answered by a finding, and none reaches the host.
@Tag("TH21")
@Tag("S28")
class EscapesTest {
  private static List<String> escapes() throws IOException {
    try (var in = EscapesTest.class.getResourceAsStream("escapes.txt")) {
      var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.asList(text.split("\n---\n"));
    }
  }

  @Test
  void there_are_more_than_150_and_no_two_are_the_same() throws IOException {
    assertThat(escapes()).hasSizeGreaterThan(150).doesNotHaveDuplicates();
  }

  @Test
  void each_is_diagnosed_and_reaches_nothing() throws IOException {
    var reached = new ArrayList<String>();
    var host =
        Capabilities.none()
            .with(
                HostFunction.of(
                    "tool(name)",
                    arguments -> {
                      reached.add(arguments.toString());
                      return HostValue.NOTHING;
                    }))
            .with("secret", new HostValue.Handle("Graph", "desk", new Object()));
    var silent = new ArrayList<String>();
    for (var escape : escapes()) {
      var session = ReplSession.open(ReplPolicy.standard(), host);
      var result = session.execute(escape);
      boolean hasFinding =
          result.diagnostics().stream()
              .anyMatch(d -> d.isError() && d.code().startsWith("E-ragsh-"));
      if (result.isComplete() || !hasFinding) silent.add(escape);
      assertThat(session.execute("1 + 1").value()).isEqualTo(new CellResult.Shown("int", "2"));
    }
    assertThat(silent).isEmpty();
    assertThat(reached).isEmpty();
  }

  @Test
  void hidden_names_are_not_suggested() {
    var session =
        ReplSession.open(
            ReplPolicy.standard(),
            Capabilities.none().with(HostFunction.of("tool(name)", a -> HostValue.NOTHING)));
    assertThat(session.execute("tol(1)").diagnostics().getFirst().help())
        .isEqualTo("did you mean `tool`?");
    assertThat(
            ReplSession.open(ReplPolicy.standard(), Capabilities.none())
                .execute("tol(1)")
                .diagnostics()
                .getFirst()
                .help())
        .doesNotContain("tool");
  }
}
