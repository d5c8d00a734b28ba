package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpointer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A store that remembers, as text, all that it was ever given.
final class RecordingStore {
  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
  private final Checkpointer store;

  private record Call(String method, String text) {}

  RecordingStore(Checkpointer inner) {
    store =
        (Checkpointer)
            Proxy.newProxyInstance(
                Checkpointer.class.getClassLoader(),
                inner.getClass().getInterfaces(),
                (self, method, arguments) -> {
                  // What can be done is heard as well.
                  if (method.getName().equals("capability")) return offered(self, arguments);
                  calls.add(new Call(method.getName(), Arrays.toString(arguments)));
                  try {
                    return method.invoke(inner, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getTargetException();
                  }
                });
  }

  private static Optional<Object> offered(Object self, Object[] arguments) {
    return Optional.of(self).filter(((Class<?>) arguments[0])::isInstance);
  }

  Checkpointer store() {
    return store;
  }

  /// The methods that were given this text somewhere.
  Set<String> given(String text) {
    var methods = new TreeSet<String>();
    for (var call : calls) if (call.text().contains(text)) methods.add(call.method());
    return methods;
  }

  List<String> methods() {
    return calls.stream().map(Call::method).distinct().sorted().toList();
  }
}
