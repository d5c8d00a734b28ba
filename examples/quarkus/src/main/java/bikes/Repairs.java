package bikes;

import dev.superstep.tool.ToolMethod;
import jakarta.inject.Singleton;

/// The tools of the agent: methods of a bean, with whatever the bean has injected.
@Singleton
class Repairs {
  @ToolMethod("Finds a repair by its number.")
  String findRepair(int number) {
    return "repair %d, a new chain, is done".formatted(number);
  }

  @ToolMethod("Pays a repair back.")
  String refund(int number) {
    return "repair %d is paid back".formatted(number);
  }
}
