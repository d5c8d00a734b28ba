package dev.superstep.tool;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.UnsupportedType;
import dev.superstep.schema.JsonSchema;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Makes tools of the methods of one object, or of the static ones of a class. Collects what is
/// wrong, so that all of it can be reported at once. One thread.
final class MethodTools {
  private static final String DONE = "Done.";

  private final @Nullable Object receiver;
  private final Class<?> type;
  private final MethodHandles.Lookup lookup;
  private final List<String> problems = new ArrayList<>();

  MethodTools(Object host, MethodHandles.Lookup lookup) {
    this.receiver = host instanceof Class<?> ? null : host;
    this.type = host instanceof Class<?> given ? given : host.getClass();
    this.lookup = lookup;
  }

  /// All that are annotated.
  List<Tool> all() {
    var tools = new LinkedHashMap<String, List<String>>();
    var made = new ArrayList<Tool>();
    for (var method : HostMethods.annotated(type)) {
      var told = method.getAnnotation(ToolMethod.class);
      var name = told.name().isEmpty() ? snakeCase(method.getName()) : told.name();
      tools.computeIfAbsent(name, _ -> new ArrayList<>()).add(HostMethods.text(method));
      tool(method, name, told.value()).ifPresent(made::add);
    }
    if (tools.isEmpty()) problems.add("it has none with @ToolMethod");
    tools.forEach((name, methods) -> {
      if (methods.size() == 1) return;
      problems.add(
          "%s are all named `%s`; set @ToolMethod(name)"
              .formatted(String.join(" and ", methods), name));
    });
    if (!problems.isEmpty()) throw new UnusableToolMethods(type, problems);
    made.sort(Comparator.comparing(Tool::name));
    return made;
  }

  /// The one of that name.
  Tool one(String method, String description) {
    var found = HostMethods.named(type, method);
    var callable = found.stream().filter(each -> handle(each).isPresent()).toList();
    var all = callable.isEmpty() ? found : callable;
    if (all.isEmpty()) {
      problems.add(
          "`%s`: there is no such method, but %s".formatted(method, HostMethods.names(type)));
    } else if (all.size() > 1) {
      problems.add(
          "`%s` is overloaded: %s; annotate the one that is meant with @ToolMethod"
              .formatted(method, all.stream().map(HostMethods::text).sorted().collect(join())));
    } else {
      var made = tool(all.getFirst(), snakeCase(method), description);
      if (made.isPresent()) return made.get();
    }
    throw new UnusableToolMethods(type, problems);
  }

  private static java.util.stream.Collector<CharSequence, ?, String> join() {
    return Collectors.joining(", ");
  }

  private Optional<Tool> tool(Method method, String name, String description) {
    int before = problems.size();
    var slots = new ArrayList<MethodBody.Slot>();
    var arguments = new LinkedHashMap<String, Parameter>();
    for (var parameter : method.getParameters()) slot(method, parameter, slots, arguments);
    var result = result(method);
    if (receiver == null && !Modifier.isStatic(method.getModifiers())) {
      problem(method, "it is not static; give an object that has it");
    }
    var handle = handle(method);
    if (handle.isEmpty()) {
      problem(
          method,
          "it cannot be called from here; make it and its class public in an exported package, or"
              + " give MethodHandles.lookup()");
    }
    if (problems.size() > before || handle.isEmpty()) return Optional.empty();
    try {
      var body = new MethodBody(spread(handle.get(), slots.size()), slots, result);
      return Optional.of(new Tool(name, description, JsonSchema.of(arguments), body));
    } catch (IllegalArgumentException e) {
      problem(method, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private void problem(Method method, String what) {
    problems.add("`" + HostMethods.text(method) + "`: " + what);
  }

  private void slot(
      Method method,
      Parameter parameter,
      List<MethodBody.Slot> slots,
      SequencedMap<String, Parameter> arguments) {
    if (parameter.getType() == ToolContext.class) {
      slots.add(new MethodBody.Slot.Context());
    } else if (parameter.isAnnotationPresent(Injected.class)) {
      if (parameter.getType().isPrimitive()) {
        problem(method, "a supplied %s has no type of its own".formatted(parameter.getType()));
      }
      slots.add(new MethodBody.Slot.Injection(parameter.getType()));
    } else {
      argument(method, parameter, slots.size() + 1, arguments).ifPresent(slots::add);
    }
  }

  private Optional<MethodBody.Slot> argument(
      Method method, Parameter parameter, int number, SequencedMap<String, Parameter> arguments) {
    var named = parameter.getAnnotation(Named.class);
    if (named == null && !parameter.isNamePresent()) {
      problem(
          method,
          "parameter %d has no name in the class file; compile with -parameters, or give it @Named"
              .formatted(number));
      return Optional.empty();
    }
    var name = named == null ? parameter.getName() : named.value();
    if (arguments.put(name, parameter) != null) {
      problem(method, "two parameters are named `" + name + "`");
    }
    try {
      var codec = Codec.ofType(parameter.getParameterizedType());
      return Optional.of(new MethodBody.Slot.Argument(name, codec, presence(parameter)));
    } catch (UnsupportedType e) {
      problem(
          method,
          "no model can write `%s`: %s; take a closed type, or say @Injected if the program has it"
              .formatted(name, String.join("; ", e.paths())));
      return Optional.empty();
    }
  }

  private static MethodBody.Presence presence(Parameter parameter) {
    if (parameter.getType() == Optional.class) return MethodBody.Presence.OPTIONAL;
    return parameter.getAnnotatedType().isAnnotationPresent(Nullable.class)
        ? MethodBody.Presence.NULLABLE
        : MethodBody.Presence.REQUIRED;
  }

  private Function<@Nullable Object, @Nullable Object> result(Method method) {
    var returned = method.getReturnType();
    if (returned == void.class) return _ -> DONE;
    if (returned == String.class || returned == ToolResult.class || returned == Json.class) {
      return value -> value;
    }
    try {
      var codec = Codec.ofType(method.getGenericReturnType());
      return value -> value == null ? null : encoded(codec, value);
    } catch (UnsupportedType e) {
      problem(
          method,
          "no model can read what it returns: %s; return text, a ToolResult or a closed type"
              .formatted(String.join("; ", e.paths())));
      return value -> value;
    }
  }

  @SuppressWarnings("unchecked") // the codec is that of what the method returns
  private static <T> Json encoded(Codec<T> codec, Object value) {
    return codec.encode((T) value);
  }

  /// A handle on the method, if it may be called: by itself, or as a method that it overrides.
  private Optional<MethodHandle> handle(Method method) {
    for (var declared : HostMethods.declarations(type, method)) {
      try {
        var handle = lookup.unreflect(declared).asFixedArity();
        boolean isStatic = Modifier.isStatic(declared.getModifiers());
        return Optional.of(isStatic || receiver == null ? handle : handle.bindTo(receiver));
      } catch (IllegalAccessException _) {
        // Perhaps as the method of a type that more may see.
      }
    }
    return Optional.empty();
  }

  private static MethodHandle spread(MethodHandle handle, int parameters) {
    return handle
        .asSpreader(Object[].class, parameters)
        .asType(MethodType.methodType(Object.class, Object[].class));
  }

  private static String snakeCase(String name) {
    return name.replaceAll("([A-Z]+)([A-Z][a-z])", "$1_$2")
        .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
        .toLowerCase(Locale.ROOT);
  }
}
