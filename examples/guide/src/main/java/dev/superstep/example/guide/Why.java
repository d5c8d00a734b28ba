package dev.superstep.example.guide;

import dev.superstep.event.Detail;
import dev.superstep.event.Explanation;
import dev.superstep.graph.RunOptions;
import dev.superstep.run.Input;

/// Explains why the offers went where they went.
public final class Why {
  private Why() {}

  public static void main(String[] args) throws InterruptedException {
    var explanation = new Explanation();
    var options = RunOptions.defaults().listener(explanation, Detail.ROUTES);
    Offers.graph().invoke(Input.none(), options);
    System.out.print(explanation.text());
  }
}
