package dev.superstep.mcp;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.pin.PinStore;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Approved tools in a store of this module.
record StoredPins(PinStore store) implements ToolPins {
  @Override
  public boolean knows(String server) {
    return of(server, () -> store.knows(server));
  }

  @Override
  public Optional<Json> approved(String server, String tool) {
    return of(server, () -> store.approved(server, tool));
  }

  @Override
  public Map<String, Json> all(String server) {
    return of(server, () -> store.all(server));
  }

  @Override
  public void approve(String server, String tool, Json definition) {
    var _ =
        of(
            server,
            () -> {
              store.approve(server, tool, definition);
              return true;
            });
  }

  private static <T> T of(String server, Supplier<T> work) {
    try {
      return work.get();
    } catch (PinStore.Unusable e) {
      throw new McpFailed.Misconfigured(server, String.valueOf(e.getMessage()), e.getCause());
    }
  }

  @Override
  public String toString() {
    return "ToolPins[" + store + "]";
  }
}
