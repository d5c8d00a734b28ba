package dev.superstep.example.guide;

import dev.superstep.flow.Flow;
import dev.superstep.flow.FlowStep.Continue;
import java.util.List;

/// A flow in a flow, and a flow for each item of a list.
public final class Baskets {
  record Basket(String customer, List<Line> lines) {}

  record Line(String article, int pieces) {}

  record Priced(String article, int cents) {}

  record Total(String customer, int cents) {}

  record Discounted(int cents, int percent) {}

  record Invoice(String text) {}

  private Baskets() {}

  /// For one line of a basket.
  static final Flow<Line, Priced> PRICE =
      Flow.of(
          "price",
          Line.class,
          Priced.class,
          (line, context) -> new Priced(line.article(), line.pieces() * 250));

  /// What a basket costs.
  static final Flow<Basket, Total> SUM =
      Flow.named("sum", Basket.class, Total.class)
          .each(
              Basket.class,
              Basket::lines,
              PRICE,
              Total.class,
              (basket, lines) ->
                  new Total(basket.customer(), lines.stream().mapToInt(Priced::cents).sum()))
          .build();

  /// The whole: what the other flow does is part of it.
  static final Flow<Basket, Invoice> BILL =
      Flow.named("bill", Basket.class, Invoice.class)
          .flow(SUM)
          .map(Total.class, Discounted.class, Baskets::discounted)
          .map(Discounted.class, Invoice.class, d -> new Invoice("%d cents".formatted(d.cents())))
          .build();

  private static Discounted discounted(Total total) {
    int percent = total.cents() > 1_000 ? 10 : 0;
    return new Discounted(total.cents() * (100 - percent) / 100, percent);
  }

  public static void main(String[] args) throws InterruptedException {
    var basket = new Basket("Ada", List.of(new Line("nails", 3), new Line("hammer", 2)));
    System.out.println(BILL.run(basket).output().text());
    var run = BILL.start(basket);
    int transitions = 1;
    while (run.next() instanceof Continue<Invoice>) transitions++;
    System.out.println(transitions + " transitions, then " + run.get(Invoice.class).orElseThrow());
  }
}
