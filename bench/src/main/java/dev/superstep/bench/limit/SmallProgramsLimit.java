package dev.superstep.bench.limit;

import dev.superstep.bench.measure.ColdStart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// W15: the small programs by hand.
public final class SmallProgramsLimit {
  private static final int SENDS = 100;

  private SmallProgramsLimit() {}

  public static void main(String[] arguments) throws Exception {
    ColdStart.print(
        switch (arguments[0]) {
          case "one" -> () -> chain(1);
          case "chain" -> () -> chain(10);
          case "flow" -> () -> chain(3);
          case "fanout" -> SmallProgramsLimit::fanOut;
          case "agent" -> () -> AgentLoopLimit.run(1);
          default -> () -> kept(arguments[0]);
        });
  }

  private static long chain(int count) throws Exception {
    var nodes = new HashMap<String, Steps.Node>();
    var edges = new HashMap<String, Steps.Edge>();
    for (int i = 0; i < count; i++) {
      var next = i + 1 < count ? "n" + (i + 1) : null;
      nodes.put("n" + i, Steps::count);
      edges.put("n" + i, _ -> next);
    }
    return Steps.n(new Steps(nodes, edges, "n0").run(Map.of("n", 0L), count));
  }

  private static int fanOut() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var working = new ArrayList<Future<String>>();
      for (int i = 0; i < SENDS; i++) {
        int number = i;
        working.add(threads.submit(() -> "item-" + number));
      }
      var items = new ArrayList<String>();
      for (var task : working) items.add(task.get());
      return items.size();
    }
  }

  private static String kept(String kind) throws Exception {
    try (var rows = Rows.open(kind)) {
      for (int n = 1; n <= 2; n++) rows.add("thread", n, n < 2 ? "b" : "", String.valueOf(n));
      return rows.last("thread").body();
    }
  }
}
