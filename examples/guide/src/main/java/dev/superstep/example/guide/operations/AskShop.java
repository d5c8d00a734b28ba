package dev.superstep.example.guide.operations;

import dev.superstep.model.ScriptedModel;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.util.regex.Pattern;

/// Asks the server of the shop once, over HTTP. Its model is scripted.
public final class AskShop {
  private static final String QUESTION =
      """
      {"assistant_id": "shop",
       "input": {"messages": [{"role": "user", "content": "Where is order 7?"}]}}
      """;

  private static final Pattern SAID = Pattern.compile("\"content\":\\s*\"([^\"]*)\"");

  private AskShop() {}

  public static void main(String[] args) throws Exception {
    var file = Files.createTempDirectory("shop").resolve("shop.db");
    try (var server = ShopServer.start(ScriptedModel.saying("It is on its way."), file, 0);
        var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(server.address().resolve("/runs/wait"))
              .header("content-type", "application/json")
              .POST(BodyPublishers.ofString(QUESTION))
              .build();
      var reply = client.send(request, BodyHandlers.ofString());
      System.out.println(reply.statusCode());
      SAID.matcher(reply.body()).results().map(said -> said.group(1)).forEach(System.out::println);
    }
  }
}
