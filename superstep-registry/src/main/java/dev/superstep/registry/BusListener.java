package dev.superstep.registry;

/// Hears the events of an [EventBus], one at a time and in order.
@FunctionalInterface
public interface BusListener {
  /// The next event.
  ///
  /// @throws Exception if it cannot take it; see [Delivery#required] for what comes of that
  void on(BusEvent event) throws Exception;
}
