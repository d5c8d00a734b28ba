package dev.superstep.graph.internal.kernel;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Chooses in place of routers, so that the kernel need not know how.
public interface RouteOverride {
  /// Has no opinion on anything.
  RouteOverride NONE =
      new RouteOverride() {
        @Override
        public @Nullable List<String> choose(String from, int number, NodeSpec.Route route) {
          return null;
        }

        @Override
        public Map<String, List<String>> chosen() {
          return Map.of();
        }
      };

  /// The targets of a router, all of them declared; or null if the router is to be asked itself.
  ///
  /// @param number the place of the router among those of its node
  @Nullable List<String> choose(String from, int number, NodeSpec.Route route);

  /// The name of a router; no name of a node holds a `#`.
  static String router(String from, int number) {
    return number == 0 ? from : from + "#" + (number + 1);
  }

  /// The choices made, by router.
  Map<String, List<String>> chosen();

  /// The superstep is folded and followed.
  default void applied() {}

  /// Adds the events of what was seen and chosen.
  default void announce(EventSink sink) {}
}
