package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Programs that the command serves to MCP clients.
@Timeout(120)
class McpServeTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String GREET =
      """
      graph greet {
        input { name text }
        output { greeting text }
        channel greeting overwrite
        start say
        node say { model "small" prompt "Greet {name}." into greeting }
      }
      """;
  private static final String GREETING =
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
          + "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";

  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    desk.write("texts/greet.rag", GREET);
    Pal.on(desk, 5);
  }

  private static JsonNode ask(Process server, BufferedReader out, String message)
      throws IOException {
    server.getOutputStream().write((message + "\n").getBytes(StandardCharsets.UTF_8));
    server.getOutputStream().flush();
    return JSON.readTree(out.readLine());
  }

  private static String call(String tool, String arguments) {
    return ("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\","
            + "\"arguments\":%s}}")
        .formatted(tool, arguments);
  }

  @Test
  void a_client_that_starts_it_calls_agents_and_texts_and_ends_it() throws Exception {
    var server =
        desk.start("mcp", "serve", "pal", "texts", "letters", "--model", "scripted://script.json");
    try (var out = server.inputReader()) {
      var greeting = ask(server, out, GREETING);
      var err = Files.readString(desk.folder().resolve("stderr.txt"));
      assertThat(greeting.path("result").path("serverInfo").path("name").asString())
          .as(err)
          .isEqualTo("superstep");
      var list = ask(server, out, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
      var names =
          list.path("result").path("tools").valueStream().map(t -> t.path("name").asString());
      assertThat(names).contains("pal", "greet").doesNotContain("letters");
      assertThat(
              ask(server, out, call("greet", "{\"name\":\"whom I held\"}"))
                  .path("result")
                  .toString())
          .contains("\"isError\":false");
      assertThat(ask(server, out, call("greet", "{\"nam\":\"Ann\"}")).path("result").toString())
          .contains("\"isError\":true");
      assertThat(
              ask(server, out, call("pal", "{\"task\":\"It was held.\"}"))
                  .path("result")
                  .toString())
          .contains("\"isError\":false");
      server.getOutputStream().close();
      assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).isZero();
      assertThat(Files.readString(desk.folder().resolve("stderr.txt")))
          .contains("serving greet  text", "not serving")
          .doesNotContain("Exception");
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void a_folder_after_mcp_is_served_and_a_name_of_nothing_is_an_error() throws Exception {
    var server = desk.start("mcp", "texts", "--model", "scripted://script.json");
    try (var out = server.inputReader()) {
      ask(server, out, GREETING);
      var list = ask(server, out, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
      assertThat(list.toString()).contains("\"greet\"");
      server.getOutputStream().close();
      assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).isZero();
    } finally {
      server.destroyForcibly();
    }
    var nothing = desk.run("mcp", "nothing");
    assertThat(nothing.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(nothing.err()).contains("has no command `nothing`, and there is no such folder");
  }

  @Test
  void clients_over_HTTP_show_a_key() throws Exception {
    desk.write("keys.txt", "ann ann-has-a-long-key\n");
    var server =
        desk.start(
            "mcp",
            "serve",
            "texts",
            "--http",
            "0",
            "--keys",
            "keys.txt",
            "--model",
            "scripted://script.json");
    try (var http = HttpClient.newHttpClient()) {
      var address = address(server);
      var request =
          HttpRequest.newBuilder(URI.create(address))
              .header("Accept", "application/json, text/event-stream")
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(GREETING));
      var text = HttpResponse.BodyHandlers.ofString();
      assertThat(http.send(request.build(), text).statusCode()).isEqualTo(401);
      var known = request.header("X-Api-Key", "ann-has-a-long-key").build();
      assertThat(http.send(known, text).body()).contains("\"superstep\"");
      server.destroy();
      assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).isZero();
    } finally {
      server.destroyForcibly();
    }
  }

  private String address(Process server) throws Exception {
    var err = desk.folder().resolve("stderr.txt");
    while (server.isAlive()) {
      for (var line : Files.exists(err) ? Files.readAllLines(err) : java.util.List.<String>of()) {
        if (line.startsWith("address ") && line.endsWith("/mcp")) return line.substring(8);
      }
      Thread.sleep(20);
    }
    throw new AssertionError(Files.readString(err));
  }

  @Test
  void what_cannot_be_served_is_refused_before_anything_runs() {
    var nothing = desk.run("mcp", "serve", "letters", "--model", "scripted://script.json");
    assertThat(nothing.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(nothing.err()).contains("There is nothing to serve");
    var keys = desk.run("mcp", "serve", "texts", "--keys", "keys.txt");
    assertThat(keys.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(keys.err()).contains("--http");
    var port = desk.run("mcp", "serve", "texts", "--http", "70000");
    assertThat(port.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(port.err()).contains("Port 70000 of --http must be a number from 0 to 65,535.");
    var none =
        desk.run(
            "mcp",
            "serve",
            "texts",
            "--http",
            "0",
            "--keys",
            "none.txt",
            "--model",
            "scripted://script.json");
    assertThat(none.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(none.err()).contains("none.txt of --keys cannot be read: there is no such file.");
  }
}
