package dev.superstep.run;

/// Carries what a caller has bound to its thread over to the threads on which a run goes on: values
/// of `ThreadLocal` and `ScopedValue`, the context of a logger or a tracer.
///
/// ```java
/// options.carrying(work -> {
///   var user = USER.get();
///   return () -> ScopedValue.where(USER, user).run(work);
/// });
/// ```
@FunctionalInterface
public interface ThreadContext {
  /// Wraps work for another thread. Called on the thread whose context is to be carried over; what
  /// it returns may be run several times, on several threads.
  Runnable carried(Runnable work);
}
