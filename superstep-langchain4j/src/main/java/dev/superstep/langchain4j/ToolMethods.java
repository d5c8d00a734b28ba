package dev.superstep.langchain4j;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.ToolMemoryId;
import dev.langchain4j.agent.tool.ToolSpecifications;
import dev.superstep.json.Json;
import dev.superstep.schema.JsonSchema;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

/// Methods that are annotated as LangChain4j's tools. A parameter for the id of the memory, which
/// there is none of here, gets the id of the call.
final class ToolMethods {
  private static final JsonMapper JSON = JsonMapper.shared();

  private ToolMethods() {}

  static List<Tool> of(Object holder) {
    var tools = new ArrayList<Tool>();
    for (Class<?> type = holder.getClass(); type != null; type = type.getSuperclass()) {
      for (var method : type.getDeclaredMethods()) {
        if (method.isAnnotationPresent(dev.langchain4j.agent.tool.Tool.class)
            && !method.isBridge()) {
          tools.add(of(holder, method));
        }
      }
    }
    if (tools.isEmpty()) {
      throw new IllegalArgumentException(
          holder.getClass().getName() + " has no method annotated as a tool of LangChain4j");
    }
    tools.sort(Comparator.comparing(Tool::name));
    return List.copyOf(tools);
  }

  private static Tool of(Object holder, Method method) {
    var specification = ToolSpecifications.toolSpecificationFrom(method);
    var said = specification.description();
    method.setAccessible(true);
    return Tool.of(
        Specifications.snakeCase(specification.name()),
        said == null || said.isBlank() ? specification.name() : said,
        JsonSchema.parse(Specifications.parameters(specification)),
        (arguments, context) -> call(holder, method, arguments, context));
  }

  private static Object call(Object holder, Method method, Json arguments, ToolContext context)
      throws Exception {
    var given = JSON.readTree(arguments.text());
    var values = new ArrayList<@Nullable Object>();
    for (var parameter : method.getParameters()) values.add(value(parameter, given, context));
    try {
      var returned = method.invoke(holder, values.toArray());
      // As LangChain4j has it: a text is the answer, nothing is a success, the rest is JSON.
      if (method.getReturnType() == void.class) return "Success";
      return returned instanceof String text ? text : JSON.writeValueAsString(returned);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) throw cause;
      throw e;
    }
  }

  private static @Nullable Object value(Parameter parameter, JsonNode given, ToolContext context) {
    if (parameter.isAnnotationPresent(ToolMemoryId.class)) return context.callId();
    var type = JSON.constructType(parameter.getParameterizedType());
    var value = given.path(name(parameter));
    if (!value.isMissingNode() && !value.isNull()) return JSON.convertValue(value, type);
    var told = parameter.getAnnotation(P.class);
    if (told == null || told.defaultValue().equals(P.NO_DEFAULT)) return missing(parameter);
    return parameter.getType() == String.class
        ? told.defaultValue()
        : JSON.convertValue(read(told.defaultValue()), type);
  }

  // A default is JSON, or the name of a constant.
  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JacksonException _) {
      return StringNode.valueOf(text);
    }
  }

  private static @Nullable Object missing(Parameter parameter) {
    if (parameter.getType() == Optional.class) return Optional.empty();
    if (!parameter.getType().isPrimitive()) return null;
    return JSON.convertValue(parameter.getType() == boolean.class ? false : 0, parameter.getType());
  }

  private static String name(Parameter parameter) {
    var told = parameter.getAnnotation(P.class);
    return told != null && !told.name().isEmpty() ? told.name() : parameter.getName();
  }
}
