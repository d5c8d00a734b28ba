package dev.superstep.agent.internal.loop;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.json.SuperstepException;
import dev.superstep.middleware.Middleware;

/// Calls the hooks of middleware.
final class MiddlewareHooks {
  private MiddlewareHooks() {}

  /// A hook without a result.
  @FunctionalInterface
  interface Hook {
    void run() throws Exception;
  }

  /// A hook with a result.
  @FunctionalInterface
  interface ResultHook<T> {
    T run() throws Exception;
  }

  static void run(Middleware one, String hook, TurnContext context, Hook work) throws Exception {
    ask(
        one,
        hook,
        context,
        () -> {
          work.run();
          return true;
        });
  }

  static <T> T ask(Middleware one, String hook, TurnContext context, ResultHook<T> work)
      throws Exception {
    try {
      return work.run();
    } catch (Exception e) {
      context.emit(new AgentEvent.MiddlewareFailed(context.agent(), one.name(), hook, code(e)));
      throw e;
    }
  }

  /// Returns whether a middleware has code of its own in a hook, in place of that of the interface.
  static boolean overrides(Middleware one, String hook, Class<?>... parameters) {
    try {
      var method = one.getClass().getMethod(hook, parameters);
      return !method.getDeclaringClass().equals(Middleware.class);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The stable code of an error, or the name of its class.
  static String code(Throwable error) {
    return error instanceof SuperstepException known
        ? known.code()
        : error.getClass().getSimpleName();
  }
}
