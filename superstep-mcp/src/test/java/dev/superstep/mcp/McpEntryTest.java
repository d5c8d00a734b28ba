package dev.superstep.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Servers that a folder names: read without being run, and confirmed by their digests.
final class McpEntryTest {
  private static final String FILE =
      """
      {"mcpServers": {
        "notes": {"command": "touch", "args": ["${FOLDER:-.}/ran"], "env": {"KEY": "${SECRET}"}},
        "far": {"type": "http", "url": "https://tools.example/mcp",
                "headers": {"X-Team": "${TEAM:-blue}"}}}}
      """;

  @TempDir Path folder;

  @Test
  void reading_tells_what_would_run_and_runs_nothing() {
    var entries = McpEntry.read(FILE.replace("${FOLDER:-.}", folder.toString()));
    var notes = entries.getFirst();
    assertThat(notes.words()).containsExactly("touch", folder + "/ran");
    assertThat(notes.variables()).containsExactly("SECRET");
    assertThat(notes).asString().doesNotContain("SECRET");
    assertThat(entries.getLast().address()).isEqualTo("https://tools.example/mcp");
    assertThat(Files.exists(folder.resolve("ran"))).isFalse();
  }

  @Test
  void each_change_of_an_entry_changes_its_digest_and_no_change_elsewhere_does() {
    var before = McpEntry.read(FILE);
    assertThat(McpEntry.read(FILE.replace("\"touch\"", "\"rm\"")).getFirst().digest())
        .isNotEqualTo(before.getFirst().digest());
    assertThat(McpEntry.read(FILE.replace("${SECRET}", "${OTHER}")).getFirst().digest())
        .isNotEqualTo(before.getFirst().digest());
    assertThat(McpEntry.read(FILE.replace("blue", "red")).getFirst().digest())
        .isEqualTo(before.getFirst().digest());
    assertThat(before).extracting(McpEntry::digest).doesNotHaveDuplicates();
  }

  @Test
  void variables_are_filled_in_when_the_server_is_made() {
    var notes = McpEntry.read(FILE).getFirst();
    var server = notes.server(folder, Map.of("SECRET", "s", "FOLDER", "/data")::get);
    assertThat(((McpServer.Stdio) server.way()).command().words())
        .containsExactly("touch", "/data/ran");
    assertThatThrownBy(() -> notes.server(folder, _ -> null))
        .isInstanceOf(McpFailed.Misconfigured.class)
        .hasMessageContaining("`SECRET` is not set");
    var far = McpEntry.read(FILE).getLast().server(folder, _ -> null);
    assertThat(((McpServer.Http) far.way()).headers()).containsEntry("X-Team", "blue");
  }

  @Test
  void what_is_no_file_of_servers_is_refused() {
    for (var bad :
        new String[] {
          "",
          "[]",
          "{}",
          "{\"mcpServers\":{\"a\":{}}}",
          "{\"mcpServers\":{\"a\":{\"type\":\"sse\",\"url\":\"http://x\"}}}",
          "{\"mcpServers\":" + "[".repeat(1_000) + "]".repeat(1_000) + "}"
        }) {
      assertThatThrownBy(() -> McpEntry.read(bad)).isInstanceOf(McpFailed.Misconfigured.class);
    }
    var odd = McpEntry.read("{\"mcpServers\":{\"../x\":{\"command\":\"true\"}}}").getFirst();
    assertThatThrownBy(() -> odd.server(folder, _ -> null))
        .isInstanceOf(McpFailed.Misconfigured.class);
  }
}
