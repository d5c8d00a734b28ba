package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.event.Event;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Failure;
import dev.superstep.node.NodeContext;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Retry;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Asks three shops for a price. One is slow to wake up, one never answers.
public final class Prices {
  static final Channel<List<String>, String> PRICES = Channel.append("prices", String.class);
  static final Target<String> ASK = Target.of("ask", String.class);
  static final Target<Failure> EXCUSE = Target.of("excuse", Failure.class);

  private Prices() {}

  static Graph graph() {
    var patient =
        NodePolicy.defaults()
            .retry(Retry.of(3))
            .timeout(Duration.ofSeconds(5))
            .onFailure(OnFailure.route(EXCUSE));
    return Graph.named("prices")
        .channels(PRICES)
        .node(ASK, (shop, _, context) -> Update.of(PRICES, ask(shop, context)), patient)
        .node(EXCUSE, (failure, _, _) -> Update.of(PRICES, excuse(failure)))
        .fanOut(START, _ -> List.of(shop("north"), shop("sleepy"), shop("closed")), ASK)
        .edge("ask", END)
        .edge("excuse", END)
        .compile();
  }

  private static String excuse(Failure failure) {
    var shop = failure.argument().orElseThrow().as(String.class);
    return shop + ": " + failure.message() + " (asked " + failure.attempts() + " times)";
  }

  private static String ask(String shop, NodeContext context) throws IOException {
    if (shop.equals("closed")) throw new IOException("no answer");
    if (shop.equals("sleepy") && context.attempt() == 1) throw new IOException("not yet");
    return shop + ": 17";
  }

  private static Send<String> shop(String name) {
    return Send.to(ASK, name);
  }

  public static void main(String[] args) throws InterruptedException {
    var options =
        RunOptions.defaults()
            .concurrency(1)
            .deadline(Duration.ofMinutes(1))
            .sleeper(_ -> {}) // an example should not keep you waiting
            .listener(Prices::print);
    if (graph().invoke(Input.none(), options) instanceof Completed(var state)) {
      state.get(PRICES).forEach(System.out::println);
    }
  }

  private static void print(Event event) {
    if (event instanceof Event.NodeRetried e) {
      System.out.println(e.node() + " failed with " + e.error() + "; attempt " + e.attempt());
    }
  }
}
