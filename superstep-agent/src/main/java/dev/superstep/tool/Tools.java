package dev.superstep.tool;

import dev.superstep.model.ToolSpec;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The tools of one agent, by name. Immutable.
public final class Tools {
  private static final Tools NONE = new Tools(Map.of());
  private final Map<String, Tool> byName;

  private Tools(Map<String, Tool> byName) {
    this.byName = byName;
  }

  /// No tools.
  public static Tools none() {
    return NONE;
  }

  /// These tools, shown to the model in this order.
  ///
  /// @throws IllegalArgumentException if two have one name
  public static Tools of(Tool... tools) {
    return of(List.of(tools));
  }

  /// These tools, shown to the model in this order.
  ///
  /// @throws IllegalArgumentException if two have one name
  public static Tools of(List<Tool> tools) {
    var byName = new LinkedHashMap<String, Tool>();
    for (var tool : tools) {
      if (byName.put(tool.name(), tool) != null) {
        throw new IllegalArgumentException("two tools are named `" + tool.name() + "`");
      }
    }
    return new Tools(byName);
  }

  /// The methods of an object that are annotated as tools, in the order of their names.
  ///
  /// ```java
  /// agent.tools(Tools.from(new Orders(database)))
  /// ```
  ///
  /// - Parameters are arguments, in the schema that a record of them would have: with their
  ///   [dev.superstep.schema.Description] and [dev.superstep.schema.Limits]; nullable ones and
  ///   optionals may be left out. They have their names if classes are compiled with `-parameters`,
  ///   or by [Named].
  /// - A [ToolContext] and what is [Injected] by the program are no arguments; no model sees them.
  /// - Text and a [ToolResult] are returned as they are, values of closed types as JSON; a method
  ///   that returns nothing answers "Done.". Exceptions are told to the model, as for all tools.
  ///
  /// Class and methods are public, in a package that is exported; else, give a lookup.
  ///
  /// @param host for static methods, their class
  /// @throws UnusableToolMethods with everything that is wrong with any of them
  public static Tools from(Object host) {
    return from(host, MethodHandles.publicLookup());
  }

  /// The tools from methods or classes that are not public.
  ///
  /// @param lookup says what may be called: `MethodHandles.lookup()` of a class that may call them
  /// @throws UnusableToolMethods with everything that is wrong with any of them
  public static Tools from(Object host, MethodHandles.Lookup lookup) {
    return of(new MethodTools(host, lookup).all());
  }

  /// These, with one of them changed, such as `with("refund", t -> t.withPolicy(PAYMENT))`.
  ///
  /// @throws IllegalArgumentException if there is none of this name
  public Tools with(String name, UnaryOperator<Tool> change) {
    if (!byName.containsKey(name)) {
      throw new IllegalArgumentException("there is no tool `" + name + "`, but " + names());
    }
    var all = new ArrayList<Tool>();
    for (var tool : byName.values()) {
      all.add(tool.name().equals(name) ? change.apply(tool) : tool);
    }
    return of(all);
  }

  /// The tool of that name.
  public Optional<Tool> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /// All names, in order.
  public List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /// The descriptions for models, in order.
  public List<ToolSpec> specs() {
    return byName.values().stream().map(Tool::spec).toList();
  }

  @Override
  public String toString() {
    return "Tools" + names();
  }
}
