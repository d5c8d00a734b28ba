package dev.superstep.example.guide.mcp;

import dev.superstep.json.Json;
import dev.superstep.mcp.McpAnswer;
import dev.superstep.mcp.McpElicitation;
import dev.superstep.mcp.McpServer;
import java.nio.file.Files;
import java.nio.file.Path;

/// A client that starts [OrderDesk], and answers the question of a refund.
public final class OrderClient {
  private OrderClient() {}

  public static void main(String[] args) throws Exception {
    var folder = Files.createTempDirectory("orders").toRealPath();
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var path = System.getProperty("java.class.path");
    var desk = OrderDesk.class.getName();
    var file = folder.resolve("orders.db").toString();
    var server = McpServer.stdio("orders", folder, java, "-cp", path, desk, file);

    try (var connection = server.answering(OrderClient::answer).connect()) {
      for (var tool : connection.tools()) System.out.println("tool: " + tool.name());
      var order = connection.call("find_order", Json.parse("{\"order\": \"4711\"}"));
      System.out.println(order.text());
      var refund = connection.call("refund", Json.parse("{\"order\": \"4711\", \"cents\": 3000}"));
      System.out.println(refund.text());
    }
  }

  /// In place of a person, who agrees.
  private static McpAnswer answer(McpElicitation asked) {
    System.out.println("asked: " + asked.message());
    return McpAnswer.accept(Json.parse("{\"agreed\": true, \"reason\": \"It was broken.\"}"));
  }
}
