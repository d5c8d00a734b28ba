package dev.superstep.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.credential.ConsentReason;
import dev.superstep.credential.ConsentRequest;
import dev.superstep.credential.Credential;
import dev.superstep.credential.CredentialAnswer;
import dev.superstep.credential.CredentialProvider;
import dev.superstep.credential.CredentialRequest;
import dev.superstep.credential.CredentialVault;
import dev.superstep.credential.RunPrincipal;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.tool.Tools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PersonalConnectionsTest {
  private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
  private static final RunPrincipal ADA = new RunPrincipal("ada");
  private static final RunPrincipal BOB = new RunPrincipal("bob");
  private static final String TOOLS =
      "{\"tools\":[{\"name\":\"whoami\",\"description\":\"Tells"
          + " who.\",\"inputSchema\":{\"type\":\"object\"}}]}";

  private final CredentialVault vault = CredentialVault.inMemory();
  private final AtomicInteger sessions = new AtomicInteger();
  // The session of each token; a session serves its own token only.
  private final Map<String, String> tokens = new ConcurrentHashMap<>();
  private HttpServer http;

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/mcp", this::serve);
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.start();
  }

  @AfterEach
  void stop() {
    http.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var token = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
      var id = ID.matcher(body);
      var number = id.find() ? id.group(1) : "";
      boolean isCall = body.contains("\"tools/call\"");
      boolean isOver = isCall && (token.contains("over") || !token.startsWith("Bearer "));
      if (token.contains("stale") || isOver) {
        exchange.sendResponseHeaders(401, -1);
      } else if (!exchange.getRequestMethod().equals("POST")) {
        exchange.sendResponseHeaders(405, -1);
      } else if (body.contains("\"initialize\"")) {
        var session = "s" + sessions.incrementAndGet();
        tokens.put(session, token);
        exchange.getResponseHeaders().set("Mcp-Session-Id", session);
        answer(
            exchange,
            number,
            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{}}");
      } else if (body.contains("\"tools/list\"")) {
        answer(exchange, number, TOOLS);
      } else if (isCall) {
        var session = exchange.getRequestHeaders().getFirst("Mcp-Session-Id");
        var begun = String.valueOf(tokens.get(session));
        boolean isOwn = token.equals(begun) || begun.contains("over");
        var text = isOwn ? "you are " + token : "this session is of somebody else";
        answer(exchange, number, "{\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}]}");
      } else {
        exchange.sendResponseHeaders(202, -1);
      }
    }
  }

  private static void answer(HttpExchange exchange, String id, String result) throws IOException {
    var body = "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private PersonalConnections connections() {
    return PersonalConnections.of(server(), vault.provider(_ -> Optional.empty()), "read");
  }

  private McpServer server() {
    var address = URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/mcp");
    return McpServer.http("far", address);
  }

  private static Agent<String> agent(PersonalConnections far, boolean begins)
      throws InterruptedException {
    var call = ScriptedModel.calls(new ToolCall("c1", "far_whoami", "{}"));
    var done = ScriptedModel.text("Done.");
    var model = begins ? ScriptedModel.replying(call, done) : ScriptedModel.replying(done);
    return Agent.named("desk").model(model).tools(Tools.of(far.tools())).build();
  }

  private static List<String> said(AgentResult<String> result) {
    return result.report().conversation().stream().map(Message::text).toList();
  }

  @Test
  void each_person_has_a_session_of_their_own_and_no_text_tells_a_token() throws Exception {
    vault.put(ADA, "far", Credential.of("token-of-ada"));
    vault.put(BOB, "far", Credential.of("token-of-bob"));
    try (var far = connections()) {
      for (var who : List.of(ADA, BOB, ADA)) {
        var result = agent(far, true).run("Who?", who.in(RunOptions.defaults()));
        assertThat(said(result)).contains("you are Bearer [hidden]");
      }
    }
    // One that lists, and one for each person.
    assertThat(tokens.values())
        .containsExactlyInAnyOrder("null", "Bearer token-of-ada", "Bearer token-of-bob");
  }

  @Test
  void a_credential_that_the_server_refuses_is_a_question_that_another_instance_goes_on_from()
      throws Exception {
    vault.put(ADA, "far", Credential.of("stale"));
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    AgentResult.Waiting<String> waiting;
    try (var far = connections()) {
      waiting = (AgentResult.Waiting<String>) agent(far, true).run("Who?", ADA.in(options));
    }
    var question = ConsentRequest.QUESTION.read(waiting.questions().getFirst());
    assertThat(question)
        .isEqualTo(
            new ConsentRequest(
                "ada", "far", List.of("read"), ConsentReason.MISSING, Optional.empty()));
    vault.put(ADA, "far", Credential.of("token-of-ada"));
    var yes = ConsentRequest.QUESTION.answer(waiting.questions().getFirst(), Approval.yes());
    try (var far = connections()) {
      var result = agent(far, false).resume(Answers.none().and(yes), ADA.in(options));
      assertThat(said(result)).contains("you are Bearer [hidden]");
    }
  }

  @Test
  void an_asking_server_is_called_again_with_a_fresh_token_and_no_saved_step_has_a_token()
      throws Exception {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    vault.put(ADA, "far", Credential.of("over"));
    var found = vault.provider(_ -> Optional.empty());
    var renewing =
        new CredentialProvider() {
          @Override
          public CredentialAnswer credential(CredentialRequest request)
              throws InterruptedException {
            return found.credential(request);
          }

          @Override
          public void reject(CredentialRequest request, Credential rejected) {
            vault.put(ADA, "far", Credential.of("token-of-ada"));
          }
        };
    try (var far = PersonalConnections.of(server().asking(), renewing, "read")) {
      var result = agent(far, true).run("Who?", ADA.in(options));
      assertThat(said(result)).anySatisfy(text -> assertThat(text).contains("[hidden]"));
    }
    var saved = new StringBuilder();
    for (var checkpoint : store.page(Lineage.of("t"), Optional.empty(), 100)) {
      saved.append(store.steps(Lineage.of("t"), checkpoint.id()));
    }
    assertThat(saved.toString()).contains("[hidden]").doesNotContain("token-of-ada");
  }

  @Test
  void a_run_without_a_principal_calls_nothing() throws Exception {
    try (var far = connections()) {
      var result = agent(far, true).run("Who?", RunOptions.defaults());
      assertThat(said(result)).anySatisfy(text -> assertThat(text).contains("has no principal"));
    }
    assertThat(tokens.values()).containsExactly("null");
  }
}
