package dev.superstep.cli.rlm.bench;

import dev.superstep.json.Json;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/// A generated shop with tools that look things up in it, for tasks that need several calls.
/// Immutable.
record Shop(
    Map<String, List<String>> orders,
    Map<String, List<String>> items,
    Map<String, Long> prices,
    Map<String, Long> stock) {
  private static final int CUSTOMERS = 4;
  private static final int EACH_MAX = 6;

  /// The arguments of every tool.
  record Of(String id) {}

  static Shop of(long seed) {
    var random = new SplittableRandom(seed);
    var shop =
        new Shop(
            new LinkedHashMap<>(),
            new LinkedHashMap<>(),
            new LinkedHashMap<>(),
            new LinkedHashMap<>());
    for (int c = 0; c < CUSTOMERS; c++) {
      var orders = new ArrayList<String>();
      for (int o = 0; o < 2 + random.nextInt(EACH_MAX - 1); o++) {
        var order = "o" + c + o;
        orders.add(order);
        var items = new ArrayList<String>();
        for (int i = 0; i < 2 + random.nextInt(EACH_MAX - 1); i++) {
          var item = "i" + c + o + i;
          items.add(item);
          shop.prices.put(item, 100L + random.nextInt(9_900));
          shop.stock.put(item, (long) random.nextInt(3));
        }
        shop.items.put(order, items);
      }
      shop.orders.put("c" + c, orders);
    }
    return shop;
  }

  /// The result of a tool.
  ///
  /// @throws IllegalArgumentException if there is no such thing
  String look(String tool, String id) {
    return switch (tool) {
      case "orders" -> list(of(orders, id));
      case "items" -> list(of(items, id));
      case "price" -> String.valueOf(of(prices, id));
      case "stock" -> String.valueOf(of(stock, id));
      default -> throw new IllegalArgumentException("no tool `" + tool + "`");
    };
  }

  private static <T> T of(Map<String, T> all, String id) {
    var found = all.get(id);
    if (found == null) throw new IllegalArgumentException("nothing has the id `" + id + "`");
    return found;
  }

  private static String list(List<String> ids) {
    return ids.stream()
        .map(id -> Json.string(id).text())
        .collect(Collectors.joining(",", "[", "]"));
  }

  Tool[] tools() {
    return new Tool[] {
      tool("orders", "Lists the ids of the orders of a customer."),
      tool("items", "Lists the ids of the items of an order."),
      tool("price", "Gives the price of an item in cents."),
      tool("stock", "Gives the number of pieces of an item in stock.")
    };
  }

  private Tool tool(String name, String description) {
    return Tool.of(name, description, Of.class, (of, _) -> look(name, of.id()));
  }
}
