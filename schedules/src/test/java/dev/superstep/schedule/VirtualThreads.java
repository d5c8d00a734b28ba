package dev.superstep.schedule;

import java.lang.reflect.Constructor;
import java.util.concurrent.Executor;

/// Makes virtual threads with a scheduler of the caller's. The JDK has no public way to do that; it
/// passes the scheduler on to the virtual threads that such a thread makes.
final class VirtualThreads {
  private static final Constructor<?> BUILDER = builder();

  private VirtualThreads() {}

  private static Constructor<?> builder() {
    try {
      var type = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder");
      var constructor = type.getDeclaredConstructor(Executor.class);
      constructor.setAccessible(true);
      return constructor;
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static Thread start(Executor scheduler, String name, Runnable work) {
    try {
      var builder = (Thread.Builder.OfVirtual) BUILDER.newInstance(scheduler);
      return builder.name(name).start(work);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("this JDK makes virtual threads in another way", e);
    }
  }
}
