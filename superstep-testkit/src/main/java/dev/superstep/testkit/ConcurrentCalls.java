package dev.superstep.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Does something many times at the same moment, each on a virtual thread.
final class ConcurrentCalls {
  private ConcurrentCalls() {}

  /// Gives what each returned, in the order of their numbers.
  static <T> List<T> run(int many, IntFunction<T> body)
      throws InterruptedException, ExecutionException {
    var ready = new CountDownLatch(many);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all =
          IntStream.range(0, many)
              .mapToObj(i ->
                  threads.submit(
                      (Callable<T>)
                          () -> {
                            ready.countDown();
                            ready.await();
                            return body.apply(i);
                          }))
              .toList();
      var results = new ArrayList<T>();
      for (var one : all) results.add(one.get());
      return results;
    }
  }
}
