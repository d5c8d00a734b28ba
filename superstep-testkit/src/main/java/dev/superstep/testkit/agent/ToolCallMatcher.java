package dev.superstep.testkit.agent;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A tool call as a test expects it: of a tool, and perhaps with certain arguments. Immutable.
///
/// ```java
/// call("refund").with("order", 17).where("a small amount", a -> a.get("amount").asInt() < 50)
/// ```
public final class ToolCallMatcher {
  private final String tool;
  private final List<Condition> conditions;

  private record Condition(String text, Predicate<JsonNode> holds) {}

  private ToolCallMatcher(String tool, List<Condition> conditions) {
    this.tool = tool;
    this.conditions = List.copyOf(conditions);
  }

  /// A call of a tool, whatever its arguments.
  public static ToolCallMatcher call(String tool) {
    return new ToolCallMatcher(tool, List.of());
  }

  /// Returns a copy that expects this argument among others.
  ///
  /// @param value as Java has it; compared as JSON
  public ToolCallMatcher with(String argument, Object value) {
    var wanted = tree(Json.of(value));
    var text = argument + "=" + wanted;
    return and(text, arguments -> wanted.equals(arguments.get(argument)));
  }

  /// Returns a copy that expects exactly these arguments, in any order.
  public ToolCallMatcher withArguments(String json) {
    var wanted = tree(Json.parse(json));
    return and(wanted.toString(), wanted::equals);
  }

  /// Returns a copy that expects arguments with this property.
  ///
  /// @param what says so in failures
  public ToolCallMatcher where(String what, Predicate<JsonNode> holds) {
    return and(what, holds);
  }

  private ToolCallMatcher and(String text, Predicate<JsonNode> holds) {
    var more = new ArrayList<>(conditions);
    more.add(new Condition(text, holds));
    return new ToolCallMatcher(tool, more);
  }

  boolean fits(Trajectory.Call call) {
    if (!call.tool().equals(tool)) return false;
    if (conditions.isEmpty()) return true;
    var arguments = arguments(call);
    return arguments != null && conditions.stream().allMatch(c -> c.holds().test(arguments));
  }

  private static @Nullable JsonNode arguments(Trajectory.Call call) {
    if (call.arguments().isEmpty()) return null;
    try {
      return tree(Json.parse(call.arguments().get()));
    } catch (dev.superstep.json.MalformedJson _) {
      return null; // what a model wrote need not be JSON; then no condition on it holds
    }
  }

  private static JsonNode tree(Json json) {
    return JsonMapper.shared().readTree(json.text());
  }

  @Override
  public String toString() {
    return conditions.isEmpty() ? tool : tool + conditions.stream().map(Condition::text).toList();
  }
}
