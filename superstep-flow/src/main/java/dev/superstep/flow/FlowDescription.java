package dev.superstep.flow;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A flow as lines of text that people can read and compare: its steps, and the fields of its
/// states. Immutable.
///
/// @param steps one line for each step, indented for the steps of nested flows
/// @param states the fields of each state, by its key; those of nested records, by their names
record FlowDescription(List<String> steps, Map<String, String> states) {
  FlowDescription {
    steps = List.copyOf(steps);
  }

  static FlowDescription of(Flow.Shape<?, ?> shape) {
    var steps = new ArrayList<String>();
    steps.add(shape.entry() + " -> " + shape.exit());
    var types = new LinkedHashMap<String, String>();
    collect(shape, "", steps, types);
    return new FlowDescription(steps, types);
  }

  private static void collect(
      Flow.Shape<?, ?> shape, String indent, List<String> steps, Map<String, String> types) {
    for (var part : shape.parts()) {
      steps.add(indent + part.line());
      part.takes().forEach(state -> add(state.key(), state.type(), types));
      part.gives().forEach(state -> add(state.key(), state.type(), types));
      if (part.body() instanceof StepDefinition.Body.Each<?, ?, ?, ?> each) {
        collect(each.flow().shape(), indent + "  ", steps, types);
      }
    }
  }

  private static void add(String name, Class<?> type, Map<String, String> types) {
    if (types.containsKey(name)) return;
    if (type.isRecord()) {
      types.put(name, "");
      var fields =
          Arrays.stream(type.getRecordComponents())
              .map(c -> c.getName() + ": " + form(c.getGenericType(), types))
              .collect(Collectors.joining(", ", "{", "}"));
      types.put(name, fields);
    } else if (type.isSealed()) {
      types.put(name, "");
      var cases = new ArrayList<String>();
      for (var one : type.getPermittedSubclasses()) {
        add(one.getSimpleName(), one, types);
        cases.add(one.getSimpleName());
      }
      types.put(name, String.join(" | ", cases));
    } else if (type.isEnum()) {
      var constants =
          Arrays.stream(type.getEnumConstants())
              .map(c -> ((Enum<?>) c).name())
              .collect(Collectors.joining(" | "));
      types.put(name, constants);
    }
  }

  private static String form(Type type, Map<String, String> types) {
    if (type instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
      return Arrays.stream(generic.getActualTypeArguments())
          .map(argument -> form(argument, types))
          .collect(Collectors.joining(", ", raw.getSimpleName() + "<", ">"));
    }
    if (!(type instanceof Class<?> plain)) return type.getTypeName();
    add(plain.getSimpleName(), plain, types);
    return plain.getSimpleName();
  }

  /// Lines that are only here with `- `, and lines that are only there with `+ `.
  List<String> diff(FlowDescription now) {
    var diff = new ArrayList<String>();
    var before = lines();
    var after = now.lines();
    for (var line : before) if (!after.contains(line)) diff.add("- " + line);
    for (var line : after) if (!before.contains(line)) diff.add("+ " + line);
    if (diff.isEmpty() && !before.equals(after)) diff.add("+ the same steps in another order");
    return diff;
  }

  private List<String> lines() {
    var lines = new ArrayList<String>();
    for (var step : steps) lines.add(step.strip());
    states.forEach((name, fields) -> lines.add("state " + name + " " + fields));
    return lines;
  }
}
