package dev.superstep.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Entry;
import dev.superstep.event.Event;
import dev.superstep.json.Json;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Whatever is kept in a journal can be read from it again, with its place in the journal.
@Tag("T124")
final class EventReadBackTest {
  private static final int MANY = 34;

  @Test
  void every_kind_of_event_reads_back_with_its_offset() throws Exception {
    var events = new ArrayList<Event>();
    for (var type : cases(Event.class)) {
      for (var made : samples(type)) events.add((Event) made);
    }
    assertThat(events)
        .extracting(Event::getClass)
        .extracting(Class::getSimpleName)
        .contains("RunStarted", "TextArrived", "ThreadForked", "TaskEnded", "RoutesSelected");
    assertThat(events.stream().map(Event::getClass).distinct()).hasSizeGreaterThanOrEqualTo(MANY);
    for (var event : events) {
      var at = event.origin();
      var entry = new Entry(7, at.at(), at.run(), at.graph(), at.path(), "", "any", event.json());
      assertThat(ThreadJournal.event(entry)).isEqualTo(event);
    }
  }

  private static List<Class<?>> cases(Class<?> sealed) {
    var cases = new ArrayList<Class<?>>();
    for (var permitted : sealed.getPermittedSubclasses()) {
      if (permitted.isRecord()) cases.add(permitted);
      else cases.addAll(cases(permitted));
    }
    return cases.stream().distinct().toList();
  }

  /// Some values of a type: for a sealed one or an enum one of each case, for an optional one that
  /// is there and one that is not.
  private static List<Object> samples(Type type) throws ReflectiveOperationException {
    if (type instanceof ParameterizedType p) return samples(p);
    if (!(type instanceof Class<?> c)) throw new IllegalArgumentException("no sample of " + type);
    if (c == String.class) return List.of("x \"1\"");
    if (c == int.class) return List.of(3);
    if (c == long.class) return List.of(7L);
    if (c == double.class) return List.of(0.5);
    if (c == boolean.class) return List.of(true, false);
    if (c == Duration.class) return List.of(Duration.ofMillis(1_500));
    if (c == Instant.class) return List.of(Instant.parse("2026-01-02T03:04:05.678Z"));
    if (c == Json.class) return List.of(Json.parse("{\"a\":[1,null,\"b\"]}"), Json.ofNull());
    if (c.isEnum()) return List.of(c.getEnumConstants());
    if (c.isRecord()) return records(c);
    var all = new ArrayList<Object>();
    for (var type1 : cases(c)) all.addAll(samples(type1));
    return all;
  }

  private static List<Object> samples(ParameterizedType type) throws ReflectiveOperationException {
    var items = samples(type.getActualTypeArguments()[type.getActualTypeArguments().length - 1]);
    var raw = type.getRawType();
    if (raw == List.class) return List.of(items, List.of());
    if (raw == Map.class) return List.of(Map.of("k", items.getFirst()), Map.of());
    if (raw != Optional.class) throw new IllegalArgumentException("no sample of " + type);
    // The JSON null in an optional is an optional that is not there.
    return List.of(Optional.of(items.getFirst()), Optional.empty());
  }

  /// As many as the component with the most samples has, so that each sample is in one of them.
  private static List<Object> records(Class<?> type) throws ReflectiveOperationException {
    var components = type.getRecordComponents();
    var types = new Class<?>[components.length];
    var values = new ArrayList<List<Object>>();
    int most = 1;
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values.add(samples(components[i].getGenericType()));
      most = Math.max(most, values.getLast().size());
    }
    var constructor = type.getDeclaredConstructor(types);
    var all = new ArrayList<Object>();
    for (int n = 0; n < most; n++) {
      var arguments = new Object[types.length];
      for (int i = 0; i < types.length; i++) {
        arguments[i] = values.get(i).get(n % values.get(i).size());
      }
      all.add(constructor.newInstance(arguments));
    }
    return all;
  }
}
