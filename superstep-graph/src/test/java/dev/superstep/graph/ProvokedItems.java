package dev.superstep.graph;

import static dev.superstep.graph.Provocations.forEver;
import static dev.superstep.graph.Provocations.inNode;
import static dev.superstep.graph.Provocations.run;

import dev.superstep.graph.ErrorMessagesTest.Case;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// The errors of items in parallel.
final class ProvokedItems {
  private ProvokedItems() {}

  static List<Case> all() {
    var items = Parallel.over(List.of("x", "y"));
    var brief = Duration.ofMillis(20);
    return List.of(
        inNode(
            "an item takes too long",
            () ->
                run((_, context) -> {
                  var late = items.itemTimeout(brief).map(context, (_, _) -> forEver());
                  throw (Exception) late.errors().getFirst();
                })),
        inNode(
            "the time for all items is over",
            () ->
                run((_, context) ->
                    first(items.totalTimeout(brief), context, (_, _) -> forEver()))),
        inNode(
            "an item fails and none may",
            () ->
                run((_, context) ->
                    first(items.failFast().concurrency(1), context, (_, _) -> refuse()))),
        inNode(
            "too few items succeed",
            () ->
                run((_, context) ->
                    first(items.quorum(2).concurrency(1), context, (_, _) -> refuse()))),
        inNode(
            "an item uses the context around it",
            () ->
                run((_, context) -> {
                  var shared =
                      items.map(context, (_, _) -> context.step("x", Boolean.class, () -> true));
                  throw (Exception) shared.errors().getFirst();
                })));
  }

  private static NodeResult first(
      Parallel<String> items, NodeContext context, Parallel.Work<String, NodeResult> work)
      throws InterruptedException {
    return items.map(context, work).succeeded().getFirst();
  }

  private static NodeResult refuse() throws IOException {
    throw new IOException("no network");
  }
}
