package dev.superstep.example.guide;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.AnswerRejected;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/// An agent behind a web service: a thread for each user, questions that leave as JSON and answers
/// that come back. The model is scripted.
public final class Service {
  record Order(int number) {}

  /// What the service says.
  record Said(String answer) {}

  record Asked(List<Open> questions) {}

  record Open(String id, String question, Json payload) {}

  record Problem(String code, String message) {}

  private record Reply(int status, Json body) {
    static Reply of(int status, Object body) {
      return new Reply(status, Json.of(body));
    }
  }

  private final Agent<String> agent;
  private final Checkpointer store;

  Service(Agent<String> agent, Checkpointer store) {
    this.agent = agent;
    this.store = store;
  }

  HttpServer start() throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var server = HttpServer.create(address, 0);
    server.createContext("/chat", exchange -> answer(exchange, this::chat));
    server.createContext("/answers/", exchange -> answer(exchange, this::resume));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return server;
  }

  private Reply chat(HttpExchange exchange) throws Exception {
    return reply(Recovery.ask(agent, body(exchange), options(exchange)));
  }

  private Reply resume(HttpExchange exchange) throws Exception {
    var id = exchange.getRequestURI().getPath().substring("/answers/".length());
    var answers = Answers.json(id, Json.parse(body(exchange)));
    return reply(agent.resume(answers, options(exchange)));
  }

  private RunOptions options(HttpExchange exchange) {
    // Stands for whoever has signed in. Never take it from what a browser can choose.
    var user = exchange.getRequestHeaders().getFirst("X-User");
    return RunOptions.thread("chat-" + user).checkpoints(store).metadata("user", user);
  }

  private static Reply reply(AgentResult<String> result) {
    return switch (result) {
      case AgentResult.Answered<String>(var text, _) -> Reply.of(200, new Said(text));
      case AgentResult.Partial<String>(var text, _) -> Reply.of(200, new Said(text));
      case AgentResult.Waiting<String>(var questions) ->
          Reply.of(
              202,
              new Asked(
                  questions.stream()
                      .map(q -> new Open(q.id(), q.question(), q.payload()))
                      .toList()));
      case AgentResult.Stopped<String>(var reason) ->
          Reply.of(503, new Problem("stopped", reason.name()));
    };
  }

  private static Reply failed(SuperstepException e) {
    int status =
        switch (e) {
          case ThreadBusy _ -> 409; // another request of this user is at work
          case AnswerRejected _ -> 400;
          case BudgetExceeded _ -> 429;
          case ModelException model when model.isRetryable() -> 503;
          default -> 500; // a ThreadError among them: the program is wrong
        };
    var said = status == 400 ? String.valueOf(e.getMessage()) : "See the log.";
    return Reply.of(status, new Problem(e.code(), said));
  }

  /// What serves a request.
  private interface Handler {
    Reply to(HttpExchange exchange) throws Exception;
  }

  private static void answer(HttpExchange exchange, Handler handler) throws IOException {
    try (exchange) {
      Reply reply;
      try {
        reply = handler.to(exchange);
      } catch (SuperstepException e) {
        reply = failed(e);
      } catch (Exception e) {
        reply = Reply.of(500, new Problem("unknown", "See the log."));
      }
      var bytes = reply.body().text().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(reply.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readNBytes(100_000), StandardCharsets.UTF_8);
  }

  private static Agent<String> agent(CountDownLatch atWork, CountDownLatch goOn) {
    var refund =
        Tool.of("refund", "Pays back.", Order.class, (order, _) -> "paid " + order.number())
            .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));
    var look =
        Tool.of(
            "look",
            "Looks an order up.",
            Order.class,
            (order, _) -> {
              atWork.countDown();
              goOn.await();
              return "order " + order.number() + " is lost";
            });
    var model =
        ScriptedModel.by(request -> {
          var last = request.messages().getLast();
          if (last instanceof ToolMessage) return ScriptedModel.text("Done: " + last.text());
          var tool = last.text().startsWith("Pay") ? "refund" : "look";
          return ScriptedModel.calls(new ToolCall(tool, tool, "{\"number\":7}"));
        });
    var gate = ToolGate.strict().confirming(SideEffect.PAYMENT);
    return Agent.named("desk")
        .model(model)
        .tools(refund, look.withPolicy(ToolPolicy.readOnly()))
        .gate(gate)
        .build();
  }

  public static void main(String[] args) throws Exception {
    var atWork = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var server = new Service(agent(atWork, goOn), new InMemoryCheckpointer()).start();
    try (var client = HttpClient.newHttpClient()) {
      var uri = URI.create("http://localhost:" + server.getAddress().getPort());
      var text = BodyHandlers.ofString();
      var first = client.sendAsync(post(uri, "/chat", "Where is it?"), text);
      atWork.await();
      var second = client.send(post(uri, "/chat", "Hello?"), text);
      System.out.println(second.statusCode() + " " + second.body());
      goOn.countDown();
      System.out.println(first.get().statusCode() + " " + first.get().body());

      var asked = client.send(post(uri, "/chat", "Pay me back."), text);
      var open = Json.parse(asked.body()).as(Asked.class).questions().getFirst();
      System.out.println(asked.statusCode() + " " + open.payload());
      for (var answer :
          new String[] {"{\"decisions\":[]}", "{\"decisions\":[{\"type\":\"approve\"}]}"}) {
        var reply = client.send(post(uri, "/answers/" + open.id(), answer), text);
        System.out.println(reply.statusCode() + " " + reply.body().replace(open.id(), "ID"));
      }
    } finally {
      server.stop(0);
    }
  }

  private static HttpRequest post(URI server, String path, String body) {
    return HttpRequest.newBuilder(server.resolve(path))
        .header("X-User", "ann")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }
}
