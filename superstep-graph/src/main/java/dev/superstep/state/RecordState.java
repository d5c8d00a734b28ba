package dev.superstep.state;

import dev.superstep.json.Codec;
import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A record as the shape of a graph's state: each component is a channel, and the record reads them
/// all at once. Components become channels by method reference, so both sides stay typed:
///
/// ```java
/// record Claim(String text, List<String> notes, long score) {
///   static final RecordState<Claim> STATE = RecordState.of(Claim.class);
///   static final Channel<String, String> TEXT = STATE.latest(Claim::text);
///   static final Channel<List<String>, String> NOTES = STATE.append(Claim::notes, String.class);
///   static final Channel<Long, Long> SCORE = STATE.sum(Claim::score);
/// }
/// ```
///
/// Every component must be made a channel before the graph is compiled. Component names are found
/// by reflection once, when the constants are made. Declaring is for one thread (a static
/// initialiser); reading is safe for many.
public final class RecordState<R extends Record> {
  private final Class<R> type;
  private final Constructor<R> constructor;
  private final Map<String, Channel<?, ?>> channels = new LinkedHashMap<>();

  private RecordState(Class<R> type, Constructor<R> constructor) {
    this.type = type;
    this.constructor = constructor;
  }

  /// The state shape of a record.
  public static <R extends Record> RecordState<R> of(Class<R> type) {
    var parameters =
        List.of(type.getRecordComponents()).stream()
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      var constructor = type.getDeclaredConstructor(parameters);
      constructor.setAccessible(true);
      return new RecordState<>(type, constructor);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException("type must be a record, was " + type.getName(), e);
    }
  }

  /// A method reference to a component, such as `Claim::text`.
  @FunctionalInterface
  public interface Component<R, T> extends Serializable {
    /// The component of a record.
    T of(R record);
  }

  /// A component that holds the last value written.
  public <T> Channel<T, T> latest(Component<R, T> component) {
    var name = name(component);
    return add(name, Channel.latest(name, codec(name)));
  }

  /// A component that grows by every write.
  public <T> Channel<List<T>, T> append(Component<R, List<T>> component, Class<T> item) {
    var name = name(component);
    return add(name, Channel.append(name, item));
  }

  /// A component that merges every written map.
  public <T> Channel<Map<String, T>, Map<String, T>> merge(
      Component<R, Map<String, T>> component, Class<T> value) {
    var name = name(component);
    return add(name, Channel.merge(name, value));
  }

  /// A component that adds every write to a set.
  public <T> Channel<Set<T>, T> union(Component<R, Set<T>> component, Class<T> element) {
    var name = name(component);
    return add(name, Channel.union(name, element));
  }

  /// A component to which every write is added.
  public Channel<Long, Long> sum(Component<R, Long> component) {
    var name = name(component);
    return add(name, Channel.sum(name));
  }

  /// A component with a channel of another kind, which must bear the component's name.
  public <V, W> Channel<V, W> channel(Component<R, V> component, Channel<V, W> channel) {
    var name = name(component);
    if (!channel.name().equals(name)) {
      throw new IllegalArgumentException(
          "channel must be named `" + name + "` like its component, was `" + channel.name() + "`");
    }
    return add(name, channel);
  }

  /// The channels of all components, in their order.
  ///
  /// @throws IllegalStateException if a component was not declared
  public Collection<Channel<?, ?>> channels() {
    var all = new ArrayList<Channel<?, ?>>();
    for (var component : type.getRecordComponents()) {
      var channel = channels.get(component.getName());
      if (channel == null) {
        throw new IllegalStateException(
            ("Component `%s` of %s is not a channel yet. Declare it, for instance with"
                    + " `latest(%s::%s)`.")
                .formatted(
                    component.getName(),
                    type.getSimpleName(),
                    type.getSimpleName(),
                    component.getName()));
      }
      all.add(channel);
    }
    return List.copyOf(all);
  }

  /// The record of a state. A component that was never written and has no initial value is null, or
  /// zero if it is a primitive.
  public R read(State state) {
    var components = type.getRecordComponents();
    var arguments = new @Nullable Object[components.length];
    int i = 0;
    for (var channel : channels()) {
      arguments[i] = value(state, channel, components[i].getType());
      i++;
    }
    try {
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) throw cause;
      throw new IllegalStateException(type.getSimpleName() + " cannot be made", e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type.getSimpleName() + " cannot be made", e);
    }
  }

  private static @Nullable Object value(State state, Channel<?, ?> channel, Class<?> component) {
    Optional<?> found = state.find(channel);
    if (found.isPresent()) return found.get();
    if (component == boolean.class) return false;
    if (component == char.class) return '\0';
    if (component.isPrimitive()) return zero(component);
    return null;
  }

  private static Object zero(Class<?> type) {
    return java.lang.reflect.Array.get(java.lang.reflect.Array.newInstance(type, 1), 0);
  }

  private <V, W> Channel<V, W> add(String name, Channel<V, W> channel) {
    if (channels.put(name, channel) != null) {
      throw new IllegalArgumentException("component `" + name + "` was declared twice");
    }
    return channel;
  }

  @SuppressWarnings("unchecked") // the component's own type, which the method reference returned
  private <T> Codec<T> codec(String name) {
    for (var component : type.getRecordComponents()) {
      if (component.getName().equals(name))
        return (Codec<T>) Codec.ofType(component.getGenericType());
    }
    throw new IllegalArgumentException(type.getSimpleName() + " has no component `" + name + "`");
  }

  private String name(Component<R, ?> component) {
    try {
      var replace = component.getClass().getDeclaredMethod("writeReplace");
      replace.setAccessible(true);
      var lambda = (SerializedLambda) replace.invoke(component);
      var name = lambda.getImplMethodName();
      for (var part : type.getRecordComponents()) if (part.getName().equals(name)) return name;
      throw new IllegalArgumentException(
          "Use a method reference to a component of %s, such as `%s::%s`."
              .formatted(
                  type.getSimpleName(),
                  type.getSimpleName(),
                  type.getRecordComponents()[0].getName()));
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "The component of " + type.getSimpleName() + " cannot be found; use a method reference.",
          e);
    }
  }

  @Override
  public String toString() {
    return "RecordState[" + type.getSimpleName() + "]";
  }
}
