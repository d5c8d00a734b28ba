package dev.superstep.mcp.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.mcp.McpServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers are confirmed as exactly what they were.
@Timeout(60)
final class McpTrustTest {
  @TempDir Path temp;

  private Path file;
  private McpTrust trust;

  @BeforeEach
  void make() throws IOException {
    file = Files.createDirectories(temp.resolve("shop")).resolve(".mcp.json");
    Files.writeString(file, "{}");
    trust = McpTrust.in(temp.resolve("settings"));
  }

  private static McpEntry entry(String more) {
    return McpEntry.of("notes", Json.parse("{\"command\":\"sh\"" + more + "}"));
  }

  private void confirm(McpEntry entry) {
    trust.confirm(file, entry, McpTrust.digest(file, entry));
  }

  @Test
  void a_confirmation_holds_in_other_processes_and_for_nothing_else() throws IOException {
    confirm(entry(""));
    var other = McpTrust.in(temp.resolve("settings"));
    assertThat(other.isConfirmed(file, entry(""))).isTrue();
    assertThat(other.isConfirmed(file, entry(",\"timeout\":3"))).isFalse();
    var copy = Files.createDirectories(temp.resolve("copy")).resolve(".mcp.json");
    Files.writeString(copy, "{}");
    assertThat(other.isConfirmed(copy, entry(""))).isFalse();
    assertThat(other.withdraw(file, "notes")).isTrue();
    assertThat(other.withdraw(file, "notes")).isFalse();
    assertThat(trust.isConfirmed(file, entry(""))).isFalse();
  }

  private static List<McpServer> servers(Path folder, Path settings, Predicate<List<String>> agrees)
      throws IOException {
    var file = folder.resolve(".mcp.json");
    var trust = McpTrust.in(settings);
    var servers = new ArrayList<McpServer>();
    for (var entry : McpFile.read(Files.readString(file)).entries()) {
      if (!trust.isConfirmed(file, entry)) {
        var digest = McpTrust.digest(file, entry);
        if (!agrees.test(entry.lines(folder))) continue;
        trust.confirm(file, entry, digest);
      }
      servers.add(entry.server(folder, System::getenv).pins(trust.pins(file, entry)));
    }
    return servers;
  }

  @Test
  void a_program_asks_once_about_each_server_of_a_folder() throws IOException {
    Files.writeString(file, "{\"mcpServers\":{\"notes\":{\"command\":\"sh\"}}}");
    var settings = temp.resolve("settings");
    var asked = new ArrayList<String>();
    assertThat(servers(file.getParent(), settings, asked::addAll)).hasSize(1);
    assertThat(asked).contains("runs: sh");
    asked.clear();
    assertThat(servers(file.getParent(), settings, asked::addAll)).hasSize(1);
    assertThat(asked).isEmpty();
    Files.writeString(file, "{\"mcpServers\":{\"notes\":{\"command\":\"rm\"}}}");
    assertThat(servers(file.getParent(), settings, _ -> false)).isEmpty();
  }

  @Test
  void the_files_are_private() throws IOException {
    confirm(entry(""));
    trust.pins(file, entry("")).approve("notes", "say", Json.parse("{}"));
    for (var place : new String[] {"settings/mcp-servers.json", "settings/mcp-pins"}) {
      var mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(temp.resolve(place)));
      assertThat(mode).as(place).endsWith("------");
    }
  }

  @Test
  void what_was_confirmed_is_nothing_if_the_file_is_broken() throws IOException {
    confirm(entry(""));
    Files.writeString(temp.resolve("settings/mcp-servers.json"), "{\"a\":");
    assertThat(trust.isConfirmed(file, entry(""))).isFalse();
    confirm(entry(""));
    assertThat(trust.isConfirmed(file, entry(""))).isTrue();
  }

  @Test
  void code_of_the_folder_that_the_command_names_is_part_of_it() throws IOException {
    var script = file.resolveSibling("serve.js");
    for (var more :
        new String[] {
          ",\"args\":[\"serve.js\"]",
          ",\"args\":[\"./serve.js\"]",
          ",\"args\":[\"" + script + "\"]",
          ",\"args\":[\"${SUPERSTEP_FOLDER}/serve.js\"]",
          ",\"args\":[\"${PWD:-.}/serve.js\"]",
          ",\"args\":[\"--import=./serve.js\"]"
        }) {
      Files.writeString(script, "one");
      confirm(entry(more));
      assertThat(trust.isConfirmed(file, entry(more))).as(more).isTrue();
      Files.writeString(script, "two");
      assertThat(trust.isConfirmed(file, entry(more))).as(more).isFalse();
    }
    var program = McpEntry.of("notes", Json.parse("{\"command\":\"bin/serve\"}"));
    confirm(program);
    Files.writeString(Files.createDirectories(file.resolveSibling("bin")).resolve("serve"), "x");
    assertThat(trust.isConfirmed(file, program)).isFalse();
  }

  @Test
  void lists_that_read_alike_are_not_the_same() {
    for (var key : new String[] {"only", "read", "write"}) {
      var tier = ",\"tier\":\"landlock\",\"" + key + "\":";
      confirm(entry(tier + "[\"a, b\"]"));
      assertThat(trust.isConfirmed(file, entry(tier + "[\"a\",\"b\"]"))).as(key).isFalse();
    }
    confirm(entry(""));
    assertThat(trust.isConfirmed(file, entry(",\"only\":[]"))).isFalse();
  }

  @Test
  void data_of_the_folder_may_change() throws IOException {
    Files.writeString(file.resolveSibling("notes.db"), "one");
    confirm(entry(",\"args\":[\"notes.db\",\".\"]"));
    Files.writeString(file.resolveSibling("notes.db"), "two");
    assertThat(trust.isConfirmed(file, entry(",\"args\":[\"notes.db\",\".\"]"))).isTrue();
  }

  @Test
  void tools_are_approved_for_one_state_of_a_server_of_one_folder() {
    trust.pins(file, entry("")).approve("notes", "say", Json.parse("{}"));
    assertThat(trust.pins(file, entry("")).knows("notes")).isTrue();
    assertThat(trust.pins(file, entry(",\"timeout\":3")).knows("notes")).isFalse();
  }

  @Test
  void many_approve_tools_at_once_and_none_is_lost() throws InterruptedException {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 8; i++) {
      var tool = "t" + i;
      var pins = trust.pins(file, entry(""));
      threads.add(Thread.ofVirtual().start(() -> pins.approve("notes", tool, Json.parse("{}"))));
    }
    for (var thread : threads) thread.join();
    for (int i = 0; i < 8; i++) {
      assertThat(trust.pins(file, entry("")).approved("notes", "t" + i)).as("t" + i).isPresent();
    }
  }

  @Test
  void many_confirm_at_once_and_none_is_lost() throws InterruptedException {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 8; i++) {
      var one = McpEntry.of("n" + i, Json.parse("{\"command\":\"sh\"}"));
      var own = McpTrust.in(temp.resolve("settings"));
      threads.add(
          Thread.ofVirtual().start(() -> own.confirm(file, one, McpTrust.digest(file, one))));
    }
    for (var thread : threads) thread.join();
    for (int i = 0; i < 8; i++) {
      var one = McpEntry.of("n" + i, Json.parse("{\"command\":\"sh\"}"));
      assertThat(trust.isConfirmed(file, one)).as(one.name()).isTrue();
    }
  }
}
