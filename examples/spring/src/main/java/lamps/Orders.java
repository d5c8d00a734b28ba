package lamps;

import dev.superstep.tool.ToolMethod;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// The tools of the agent: methods of a component, with whatever the component has injected.
@Component
class Orders {
  private final JdbcClient database;

  Orders(JdbcClient database) {
    this.database = database;
  }

  @ToolMethod("Finds an order by its number.")
  String findOrder(int number) {
    database.sql("insert into lookup (number) values (?)").param(number).update();
    return "order %d, a blue lamp, was lost on its way".formatted(number);
  }

  @ToolMethod("Sends the goods of an order again.")
  String shipAgain(int number) {
    // Once, however often the step is tried: a process may die after the insert.
    database
        .sql("insert into shipment (number) values (?) on conflict do nothing")
        .param(number)
        .update();
    return "order %d is on its way again".formatted(number);
  }

  @ToolMethod("Pays an order back.")
  String refund(int number) {
    database
        .sql("insert into refund (number) values (?) on conflict do nothing")
        .param(number)
        .update();
    return "order %d is paid back".formatted(number);
  }
}
