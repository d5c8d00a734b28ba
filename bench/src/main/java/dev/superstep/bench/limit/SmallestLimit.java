package dev.superstep.bench.limit;

import java.util.Map;

/// W6: the least program that runs two nodes.
public final class SmallestLimit {
  private SmallestLimit() {}

  public static void main(String[] arguments) throws Exception {
    Steps.Node one = _ -> Map.of("n", 1L);
    Steps.Edge next = _ -> "b";
    Steps.Edge end = _ -> null;
    var steps = new Steps(Map.of("a", one, "b", Steps::count), Map.of("a", next, "b", end), "a");
    System.out.println("result " + Steps.n(steps.run(Map.of(), 2)));
  }
}
