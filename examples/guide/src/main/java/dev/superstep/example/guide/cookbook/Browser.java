package dev.superstep.example.guide.cookbook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.agent.Agent;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.Kind;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.model.ScriptedModel;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/// An answer that is sent to a browser while the model writes it.
public final class Browser {
  private Browser() {}

  static void stream(Agent<String> agent, HttpExchange exchange, RunOptions options)
      throws IOException, InterruptedException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0); // 0: the length is not known yet
    try (var out = exchange.getResponseBody();
        var run = agent.stream("Tell me a story.", options).cancelOnClose()) {
      for (var event : run.only(EventFilter.kinds(Kind.MESSAGES))) {
        if (event instanceof Event.TextArrived text) {
          send(out, "text", Json.string(text.piece().text()));
        }
      }
      send(out, "end", Json.string(run.result().report().reason().name()));
    }
  }

  private static void send(OutputStream out, String event, Json data) throws IOException {
    out.write("event: %s\ndata: %s\n\n".formatted(event, data.text()).getBytes(UTF_8));
    out.flush();
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    var agent = Agent.named("teller").model(ScriptedModel.saying("Once upon a time.")).build();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/story", exchange -> serve(agent, exchange));
    server.start();
    try (var client = HttpClient.newHttpClient()) {
      var uri = URI.create("http://localhost:" + server.getAddress().getPort() + "/story");
      var request = HttpRequest.newBuilder(uri).build();
      System.out.print(client.send(request, BodyHandlers.ofString()).body().stripTrailing() + "\n");
    } finally {
      server.stop(0);
    }
  }

  private static void serve(Agent<String> agent, HttpExchange exchange) throws IOException {
    try {
      stream(agent, exchange, RunOptions.defaults());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
