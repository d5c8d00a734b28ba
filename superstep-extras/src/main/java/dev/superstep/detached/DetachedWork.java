package dev.superstep.detached;

/// Work that goes on by itself. It runs on a virtual thread of its own and should look at its
/// cancellation from time to time; interruption ends it if it does not.
///
/// @param <T> what it gives, never null
@FunctionalInterface
public interface DetachedWork<T> {
  /// Does the work.
  T run(Cancellation cancellation) throws Exception;
}
