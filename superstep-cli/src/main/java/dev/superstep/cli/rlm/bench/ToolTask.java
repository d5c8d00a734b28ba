package dev.superstep.cli.rlm.bench;

import java.util.List;

/// A task that needs several calls of tools. Immutable.
///
/// @param program does the same as the policy, in one cell
record ToolTask(String title, String question, ScriptedPolicy policy, String program) {
  private static final String CUSTOMER = "c1";
  private static final String ORDER = "o10";

  /// From one call to many that depend on each other.
  static List<ToolTask> all() {
    return List.of(
        new ToolTask(
            "one call",
            "What does item i100 cost?",
            known -> String.valueOf(known.sum("price", List.of("i100"))),
            "answer(int(tool(\"price\", id=\"i100\")))"),
        new ToolTask(
            "chain of 3",
            "What does the first item of the first order of customer c1 cost?",
            known -> {
              var order = known.all("orders", List.of(CUSTOMER)).getFirst();
              var item = known.all("items", List.of(order)).getFirst();
              return String.valueOf(known.sum("price", List.of(item)));
            },
            """
            order = tool("orders", id="c1")[0]
            item = tool("items", id=order)[0]
            answer(int(tool("price", id=item)))\
            """),
        new ToolTask(
            "sum of an order",
            "What does order o10 cost in all?",
            known -> String.valueOf(known.sum("price", known.all("items", List.of(ORDER)))),
            """
            items = tool("items", id="o10")
            answer(sum([int(tool("price", id=item)) for item in items]))\
            """),
        new ToolTask(
            "choice in an order",
            "What does the dearest item of order o10 cost that is not in stock? 0 if all are.",
            known -> {
              var items = known.all("items", List.of(ORDER));
              var stock = known.numbers("stock", items);
              var gone =
                  java.util.stream.IntStream.range(0, items.size())
                      .filter(i -> stock.get(i) == 0)
                      .mapToObj(items::get)
                      .toList();
              return String.valueOf(
                  known.numbers("price", gone).stream().max(Long::compare).orElse(0L));
            },
            """
            items = tool("items", id="o10")
            gone = [item for item in items if tool("stock", id=item) == "0"]
            answer(max([int(tool("price", id=item)) for item in gone] + [0]))\
            """),
        new ToolTask(
            "sum of a customer",
            "What do all orders of customer c1 cost in all?",
            known -> {
              var orders = known.all("orders", List.of(CUSTOMER));
              return String.valueOf(known.sum("price", known.all("items", orders)));
            },
            """
            total = 0
            for order in tool("orders", id="c1"):
                for item in tool("items", id=order):
                    total += int(tool("price", id=item))
            answer(total)\
            """));
  }
}
