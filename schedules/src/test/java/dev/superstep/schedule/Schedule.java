package dev.superstep.schedule;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/// An order in which the threads of a race take turns. It is the scheduler of its actors' virtual
/// threads and of all virtual threads that these start, directly or not, and runs them one at a
/// time on the thread of the test. A thread goes on until it blocks, ends or comes to a
/// [point][#point]; then the next is chosen.
///
/// Platform threads and timeouts stay outside of its control, so a scenario must not depend on
/// them. See docs/decisions/0085.
public final class Schedule implements Executor {
  /// Far more than any scenario needs.
  private static final int TURNS_MAX = 100_000;

  private static final long WAKE_UP_SECONDS = 1;

  private final Choices choices;
  private final List<Runnable> ready = new ArrayList<>();
  private final List<Actor<?>> actors = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();

  Schedule(Choices choices) {
    this.choices = choices;
  }

  /// Adds a participant. It starts when the schedule [runs][#run].
  public <T> Actor<T> actor(String name, Callable<T> work) {
    var actor = new Actor<T>(name, work);
    actors.add(actor);
    return actor;
  }

  /// Lets another thread go on, if the schedule says so. Does nothing on the thread of the test.
  public void point(String what) {
    var thread = Thread.currentThread();
    if (!thread.isVirtual()) return;
    trace.add(thread.getName() + ": " + what);
    Thread.yield();
  }

  /// Wraps an object so that each call through its interfaces has a point before and after it.
  public <T> T watched(Class<T> seam, T real) {
    var loader = seam.getClassLoader();
    var proxy =
        Proxy.newProxyInstance(
            loader,
            interfaces(real.getClass()),
            (self, method, arguments) -> {
              point("before " + method.getName());
              try {
                return standIn(method.invoke(real, arguments), real, self);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              } finally {
                point("after " + method.getName());
              }
            });
    return seam.cast(proxy);
  }

  private static Class<?>[] interfaces(Class<?> type) {
    var all = new LinkedHashSet<Class<?>>();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      all.addAll(List.of(at.getInterfaces()));
    }
    return all.toArray(Class<?>[]::new);
  }

  /// Puts the watched object in the place of the real one, which may return itself as one that can
  /// do more.
  private static Object standIn(Object result, Object real, Object watched) {
    return result instanceof Optional<?> found && found.equals(Optional.of(real))
        ? Optional.of(watched)
        : result;
  }

  /// Runs all actors, and the threads that they start, until none can go on.
  ///
  /// @throws AssertionError if an actor then still waits
  public void run() throws InterruptedException {
    for (var actor : actors) VirtualThreads.start(this, actor.name(), actor::run);
    Runnable last = null;
    for (int turns = 0; turns < TURNS_MAX; turns++) {
      last = next(last);
      if (last == null) return;
      last.run();
    }
    throw new AssertionError("the scenario did not end in " + TURNS_MAX + " turns");
  }

  /// The next thread's turn; null if all has ended.
  private synchronized Runnable next(Runnable last) throws InterruptedException {
    if (ready.isEmpty()) {
      if (actors.stream().allMatch(Actor::hasEnded)) return null;
      // Only a thread outside of the schedule can wake one up now.
      TimeUnit.SECONDS.timedWait(this, WAKE_UP_SECONDS);
      if (ready.isEmpty()) throw new AssertionError("no thread can go on: " + actors);
    }
    boolean canGoOn = ready.remove(last);
    if (canGoOn) ready.addFirst(last);
    return ready.remove(ready.size() == 1 ? 0 : choices.pick(ready.size(), canGoOn));
  }

  /// Called by the virtual threads when they can go on.
  @Override
  public synchronized void execute(Runnable turn) {
    ready.add(turn);
    notifyAll();
  }

  /// The points in the order in which they were passed.
  String trace() {
    return String.join("\n  ", trace);
  }
}
