package dev.superstep.agent.internal.state;

import dev.superstep.agent.run.AnswerMode;
import dev.superstep.agent.run.Repair;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.model.Capability;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ToolSpec;
import dev.superstep.schema.JsonSchema;
import dev.superstep.schema.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The form of an agent's answer: text, or a value of a type. The model is asked for a value in the
/// vendor's own way, or as the arguments of a tool that does nothing; the value is checked in any
/// case. Immutable.
public final class AnswerFormat<A> {
  /// The carrier of an agent that names no other.
  public static final String CARRIER = "answer";

  private final Function<Json, A> decode;
  private final @Nullable JsonSchema schema;
  private final String name;
  private final How how;

  /// The way to ask a model for the answer.
  ///
  /// @param carrier the tool by which it gives the answer, where its vendor cannot hold it to a
  ///   schema
  public record How(AnswerMode mode, Repair repair, String carrier) {}

  private AnswerFormat(
      String name, Function<Json, A> decode, @Nullable JsonSchema schema, How how) {
    this.name = name;
    this.decode = decode;
    this.schema = schema;
    this.how = how;
  }

  public static AnswerFormat<String> text() {
    var how = new How(AnswerMode.AUTO, Repair.turns(0), CARRIER);
    return new AnswerFormat<>("text", json -> json.as(String.class), null, how);
  }

  public static <A> AnswerFormat<A> of(Class<A> type, How how) {
    if (!type.isRecord() && !type.isSealed()) {
      throw new IllegalArgumentException(
          "the answer must be a record or a sealed interface, was "
              + type.getName()
              + "; models answer with objects, so wrap it in a record");
    }
    var codec = Codec.of(type);
    return new AnswerFormat<>(type.getSimpleName(), codec::decode, JsonSchema.of(type), how);
  }

  public boolean isText() {
    return schema == null;
  }

  public Repair repair() {
    return how.repair();
  }

  public A read(Json answer) {
    return decode.apply(answer);
  }

  /// The tool by which a model gives the answer, if it gives it so.
  public String carrier() {
    return how.carrier();
  }

  /// Returns true if calls of the tool are answers. No tool of the agent has that name.
  public boolean isCarrier(String tool) {
    return !isText() && tool.equals(how.carrier());
  }

  /// Returns true if the answer is to come as the arguments of a tool.
  public boolean isCarried(ModelProfile profile, boolean hasTools) {
    if (schema == null) return false;
    return switch (how.mode()) {
      case NATIVE -> false;
      case TOOL -> true;
      case AUTO -> {
        if (profile.has(Capability.STRUCTURED_OUTPUT)) yield false;
        if (profile.lacks(Capability.STRUCTURED_OUTPUT)) yield !profile.lacks(Capability.TOOLS);
        yield hasTools;
      }
    };
  }

  /// The request, with the form of the answer in it.
  public ChatRequest asked(ChatRequest request, boolean carried) {
    if (schema == null) return request;
    if (!carried) return request.withFormat(new ResponseFormat.JsonSchema(name, schema.json()));
    var tools = new ArrayList<>(request.tools());
    tools.add(
        new ToolSpec(
            how.carrier(),
            "Gives the final answer. Call it once, alone, when you have everything.",
            schema.json()));
    return request.withTools(tools);
  }

  /// The problems of an answer; empty if it is good.
  public List<String> problems(String text) {
    if (schema == null) return List.of();
    try {
      var json = Json.parse(text);
      var violations = schema.check(json);
      if (!violations.isEmpty()) return violations.stream().map(Violation::sentence).toList();
      var _ = decode.apply(json);
      return List.of();
    } catch (MalformedJson e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }
}
