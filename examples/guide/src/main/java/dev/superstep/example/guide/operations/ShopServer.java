package dev.superstep.example.guide.operations;

import dev.superstep.agent.Agent;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import java.io.IOException;
import java.nio.file.Path;

/// An agent as a service, which ends when its process is told to.
public final class ShopServer {
  record Order(int number) {}

  private ShopServer() {}

  static AgentServer start(ChatModel model, Path file, int port) throws IOException {
    var find =
        Tool.of("find_order", "Tells what was ordered.", Order.class, (_, _) -> "a lamp, sent")
            .withPolicy(ToolPolicy.readOnly());
    var shop = Agent.named("shop").model(model).tools(find).build();
    return AgentServer.on(SqliteCheckpointer.open(file), SqliteServiceStore.open(file))
        .serving(ServedGraph.of(shop.graph()).describedAs("Answers customers"))
        .start(port);
  }

  public static void main(String[] args) throws Exception {
    var model = ModelProviders.open(ModelRef.parse(args[0])); // such as openai://gpt-5.2
    var server = start(model, Path.of("shop.db"), 2024);
    Runtime.getRuntime().addShutdownHook(new Thread(server::close)); // SIGTERM: drains
    System.out.println(server.address().resolve("/studio"));
    server.awaitStop();
  }
}
