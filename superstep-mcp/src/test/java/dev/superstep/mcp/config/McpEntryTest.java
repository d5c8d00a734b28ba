package dev.superstep.mcp.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Json;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers that files name: read without being run.
@Timeout(60)
final class McpEntryTest {
  private static final String FILE =
      """
      {"mcpServers": {
        "notes": {"command": "touch", "args": ["${FOLDER:-.}/ran"], "env": {"KEY": "${SECRET}"}},
        "far": {"type": "http", "url": "https://tools.example/mcp",
                "headers": {"X-Team": "${TEAM:-blue}"}}}}
      """;

  @TempDir Path folder;

  private static McpEntry first(String text) {
    return McpFile.read(text).entries().getFirst();
  }

  private static McpEntry own(String table) {
    return McpEntry.of("notes", Json.parse(table));
  }

  @Test
  void reading_tells_what_would_run_and_runs_nothing() {
    var entries = McpFile.read(FILE.replace("${FOLDER:-.}", folder.toString())).entries();
    var notes = entries.getFirst();
    assertThat(notes.words()).containsExactly("touch", folder + "/ran");
    assertThat(notes.variables()).containsExactly("SECRET");
    assertThat(notes).asString().doesNotContain("SECRET");
    assertThat(notes.lines(folder))
        .contains("variable: KEY='${SECRET}'", "is told your variables: SECRET");
    assertThat(entries.getLast().lines(folder)).contains("reaches: https://tools.example/mcp");
    assertThat(Files.exists(folder.resolve("ran"))).isFalse();
  }

  @Test
  void each_change_of_an_entry_changes_its_digest_and_no_change_elsewhere_does() {
    var before = first(FILE).digest();
    assertThat(first(FILE.replace("\"touch\"", "\"rm\"")).digest()).isNotEqualTo(before);
    assertThat(first(FILE.replace("${SECRET}", "${OTHER}")).digest()).isNotEqualTo(before);
    assertThat(first(FILE.replace("blue", "red")).digest()).isEqualTo(before);
    var tables =
        List.of(
            "{\"command\":\"x\"}",
            "{\"command\":\"x\",\"args\":[\"a b\"]}",
            "{\"command\":\"x\",\"args\":[\"a\",\"b\"]}",
            "{\"command\":\"x\",\"env\":{\"A\":\"b\"}}",
            "{\"command\":\"x\",\"only\":[]}",
            "{\"command\":\"x\",\"only\":[\"a\"]}",
            "{\"command\":\"x\",\"tools\":{\"a\":\"read_only\"}}",
            "{\"command\":\"x\",\"tools\":{\"a\":[\"network\"]}}",
            "{\"command\":\"x\",\"trust_hints\":true}",
            "{\"command\":\"x\",\"timeout\":1}",
            "{\"command\":\"x\",\"protocol\":\"2026-07-28\"}",
            "{\"command\":\"x\",\"protocol\":\"2025-11-25\"}",
            "{\"command\":\"x\",\"tasks\":60}",
            "{\"command\":\"x\",\"tasks\":61}",
            "{\"command\":\"x\",\"tier\":\"landlock\"}",
            "{\"command\":\"x\",\"tier\":\"landlock\",\"write\":[\"a\"]}",
            "{\"command\":\"x\",\"tier\":\"landlock\",\"read\":[\"a\"]}",
            "{\"url\":\"https://x\"}",
            "{\"url\":\"https://x\",\"headers\":{\"A\":\"b\"}}",
            "{\"url\":\"https://x\",\"oauth\":true}",
            "{\"url\":\"https://x\",\"oauth\":\"me\"}");
    assertThat(tables).extracting(table -> own(table).digest()).doesNotHaveDuplicates();
  }

  @Test
  void a_table_says_what_a_server_may_do() {
    var entry =
        own(
            """
            {"command": "x", "only": ["a", "b"], "timeout": 7, "tier": "landlock", "write": ["d"],
             "tools": {"a": "read_only", "b": ["writes_files", "idempotent", "approved"]}}
            """);
    assertThat(entry.grants().policies())
        .containsEntry("a", ToolPolicy.readOnly())
        .containsEntry("b", ToolPolicy.of(SideEffect.WRITES_FILES).idempotent().approved());
    assertThat(entry.grants().timeout()).contains(Duration.ofSeconds(7));
    assertThat(entry.lines(folder))
        .contains(
            "only the tools: a, b", "tool a: read_only", "sandbox: landlock", "may write: [d]")
        .contains("tool b: writes_files, idempotent, approved", "timeout: 7 s");
  }

  @Test
  void both_kinds_of_files_choose_the_protocol_and_tasks() {
    var table = "{\"url\":\"https://x\",\"protocol\":\"2026-07-28\",\"tasks\":3600}";
    var foreign = first("{\"mcpServers\":{\"notes\":" + table + "}}");
    for (var entry : List.of(own(table), foreign)) {
      assertThat(entry.lines(folder))
          .contains("protocol: 2026-07-28", "calls may be tasks for 3600 s");
    }
    assertThat(foreign.digest()).isNotEqualTo(first(FILE).digest());
    for (var bad :
        List.of("\"protocol\":\"sse\"", "\"protocol\":1", "\"tasks\":0", "\"tasks\":true")) {
      assertThatThrownBy(() -> own("{\"url\":\"https://x\"," + bad + "}"))
          .isInstanceOf(InvalidMcpEntry.class)
          .hasMessageContaining("protocol".equals(bad.substring(1, 9)) ? "`protocol`" : "`tasks`");
    }
    var others = "{\"url\":\"https://x\",\"protocol\":\"sse\",\"tasks\":[\"build\"]}";
    assertThat(first("{\"mcpServers\":{\"a\":" + others + "}}").grants()).isEqualTo(McpGrants.NONE);
  }

  /// What was confirmed before there were such keys stays confirmed.
  @Test
  void the_digest_of_an_entry_without_a_protocol_is_what_it_was() {
    assertThat(own("{\"command\":\"x\",\"timeout\":1}").digest())
        .isEqualTo("8bb8de8dd2887dd01748ead4a541456f19248e1e47253b96c3a944bdf91138c1");
  }

  @Test
  void no_value_makes_lines_of_its_own() {
    var entry =
        own(
            """
            {"command": "x", "args": ["a\\nsandbox: bubblewrap"], "only": ["b\\rtimeout: 1 s"],
             "env": {"A\\nfile: x.js (0123)": "1"}}
            """);
    assertThat(entry.lines(folder))
        .contains("runs: x 'a\\nsandbox: bubblewrap'")
        .noneMatch(line -> line.chars().anyMatch(c -> c == '\n' || c == '\r'));
  }

  @Test
  void a_variable_that_is_not_set_is_named_and_none_is_read_before() {
    var notes = first(FILE);
    assertThatThrownBy(() -> notes.server(folder, _ -> null))
        .isInstanceOf(InvalidMcpEntry.class)
        .hasMessageContaining("`SECRET` is not set");
    assertThat(notes.server(folder, Map.of("SECRET", "s")::get)).asString().contains("touch");
    assertThat(new VariableText("a${A:-b}c").filled("s", _ -> null)).isEqualTo("abc");
    assertThat(new VariableText("a${A:-b}c").filled("s", _ -> "")).isEqualTo("abc");
    assertThat(new VariableText("a${A}c").filled("s", _ -> "")).isEqualTo("ac");
    assertThat(new VariableText("${A}").filled("s", _ -> "$1 ${B} \\")).isEqualTo("$1 ${B} \\");
  }

  @Test
  void a_server_that_needs_a_person_is_not_made_without_one() {
    var far = own("{\"url\":\"https://tools.example/mcp\",\"oauth\":true}");
    assertThatThrownBy(() -> far.server(folder, _ -> null))
        .isInstanceOf(InvalidMcpEntry.class)
        .hasMessageContaining("needs a person");
  }

  @Test
  void values_of_variables_are_in_no_error() {
    var far = own("{\"url\":\"https://x/${KEY}\",\"headers\":{\"A\":\"${KEY}\"}}");
    assertThatThrownBy(() -> far.server(folder, _ -> "se cret\n"))
        .isInstanceOf(InvalidMcpEntry.class)
        .hasMessageNotContaining("se cret");
    var program = own("{\"command\":\"x\",\"env\":{\"A\":\"${KEY}\"}}");
    assertThatThrownBy(() -> program.server(folder, _ -> "se\0cret"))
        .isInstanceOf(InvalidMcpEntry.class)
        .hasMessageNotContaining("cret");
  }

  @Test
  void what_is_no_file_of_servers_is_refused() {
    for (var bad :
        List.of(
            "",
            "[]",
            "{}",
            "null",
            "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}",
            "{\"mcpServers\":" + "[".repeat(1_000) + "]".repeat(1_000) + "}")) {
      assertThatThrownBy(() -> McpFile.read(bad)).as(bad).isInstanceOf(InvalidMcpEntry.class);
    }
    var many = new StringBuilder("{\"mcpServers\":{");
    for (int i = 0; i < 101; i++) {
      many.append(i == 0 ? "" : ",").append("\"a%d\":{\"command\":\"x\"}".formatted(i));
    }
    assertThatThrownBy(() -> McpFile.read(many + "}}")).isInstanceOf(InvalidMcpEntry.class);
    var odd = McpFile.read("{\"mcpServers\":{\"../x\":{\"command\":\"true\"}}}");
    assertThat(odd.entries()).isEmpty();
    assertThat(odd.unusable()).hasSize(1);
  }

  @Test
  void keys_of_other_tools_in_their_file_are_no_mistake_and_in_a_table_they_are() {
    var entry = "{\"command\":\"x\",\"autoApprove\":[\"all\"],\"tools\":{\"a\":\"read_only\"}}";
    assertThat(first("{\"mcpServers\":{\"a\":" + entry + "}}").grants()).isEqualTo(McpGrants.NONE);
    assertThatThrownBy(() -> own(entry))
        .isInstanceOf(InvalidMcpEntry.class)
        .hasMessageContaining("`autoApprove` is not a key");
  }
}
