package dev.superstep.tool;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.Content;
import dev.superstep.model.ToolSpec;
import dev.superstep.node.Effect;
import dev.superstep.node.Question;
import dev.superstep.schema.JsonSchema;
import dev.superstep.schema.Violation;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Something that a model may ask for. Its arguments are a record: the record's schema is what the
/// model sees, and a call that breaks the schema never reaches the handler.
///
/// ```java
/// record City(@Description("In English.") String name) {}
/// var tool = Tool.of("get_weather", "Tells the weather.", City.class, (city, _) -> look(city));
/// ```
///
/// Immutable, safe for many threads if its handler is; the `with` methods return changed copies.
public final class Tool {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");
  private static final int NAME_MAX = 64;
  private static final int RESULT_MAX = 32_000;

  private final String name;
  private final String description;
  private final JsonSchema schema;
  private final ToolBody body;
  private final CheckedArguments checked = new CheckedArguments();
  private Limit limit = new Limit.Inherited();
  private int resultLimit = RESULT_MAX;
  private ToolPolicy policy = ToolPolicy.UNCLASSIFIED;
  private List<Question<?, ?>> questions = List.of();
  private @Nullable ToolUndo undo;

  /// The time limit of a call.
  private sealed interface Limit {
    record Inherited() implements Limit {}

    record Of(Duration time) implements Limit {}

    record Unbounded() implements Limit {}
  }

  Tool(String name, String description, JsonSchema schema, ToolBody body) {
    if (name.length() > NAME_MAX || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name must be in snake case with at most 64 ASCII characters, was `" + name + "`");
    }
    if (description.isBlank()) {
      throw new IllegalArgumentException("description of `" + name + "` must not be blank");
    }
    this.name = name;
    this.description = description;
    this.schema = schema;
    this.body = body;
  }

  private Tool(Tool from) {
    this(from, from.name, from.description);
  }

  private Tool(Tool from, String name, String description) {
    this(from, name, description, from.body);
  }

  private Tool(Tool from, ToolBody body) {
    this(from, from.name, from.description, body);
  }

  private Tool(Tool from, String name, String description, ToolBody body) {
    this(name, description, from.schema, body);
    this.limit = from.limit;
    this.resultLimit = from.resultLimit;
    this.policy = from.policy;
    this.questions = from.questions;
    this.undo = from.undo;
  }

  /// A tool whose results have at most 32 000 characters.
  ///
  /// @param name in snake case, at most 64 ASCII characters
  /// @param description tells the model when to use it
  /// @param arguments a record, which may be empty
  /// @throws dev.superstep.json.UnsupportedType if the arguments have no codec
  public static <A extends Record> Tool of(
      String name, String description, Class<A> arguments, ToolHandler<A> handler) {
    var hasArguments = arguments.getRecordComponents().length > 0;
    var body = new ToolBody.Handled<>(Codec.of(arguments), hasArguments, handler);
    return new Tool(name, description, JsonSchema.of(arguments), body);
  }

  /// A tool whose arguments no Java type describes, such as one of a tool server.
  ///
  /// @param schema says what the arguments are; the handler gets an object that it accepts
  public static Tool of(
      String name, String description, JsonSchema schema, ToolHandler<Json> handler) {
    var body = new ToolBody.Handled<>(Codec.of(Json.class), false, handler);
    return new Tool(name, description, schema, body);
  }

  /// A tool that is a graph, such as a typed flow.
  ///
  /// @param arguments a record, which may be empty
  /// @throws dev.superstep.json.UnsupportedType if the arguments have no codec
  public static <A extends Record> Tool of(
      String name, String description, Class<A> arguments, ToolGraph graph) {
    var hasArguments = arguments.getRecordComponents().length > 0;
    var body = new ToolBody.Run(Codec.of(arguments), hasArguments, graph);
    return new Tool(name, description, JsonSchema.of(arguments), body);
  }

  /// A tool that is a graph, whose arguments no Java type describes.
  ///
  /// @param schema says what the arguments are
  public static Tool of(String name, String description, JsonSchema schema, ToolGraph graph) {
    return new Tool(
        name, description, schema, new ToolBody.Run(Codec.of(Json.class), false, graph));
  }

  /// A tool that is a public method, without an annotation: as [Tools#from(Object)] makes them. Its
  /// name is that of the method in snake case.
  ///
  /// @param host has the method; for a static one, its class
  /// @param method of which there is only one of that name
  /// @param description tells the model when to use it
  /// @throws UnusableToolMethods with everything that is wrong
  public static Tool from(Object host, String method, String description) {
    return from(host, method, description, MethodHandles.publicLookup());
  }

  /// A tool from a method that is not public, or of a class that is not public.
  ///
  /// @param lookup says what may be called: `MethodHandles.lookup()` of a class that may call it
  /// @throws UnusableToolMethods with everything that is wrong
  public static Tool from(
      Object host, String method, String description, MethodHandles.Lookup lookup) {
    return new MethodTools(host, lookup).one(method, description);
  }

  /// Limits a call. When the time is over, its thread is interrupted, and the model gets an error;
  /// a handler that ignores the interrupt is abandoned. Unless set, the limit of the agent or the
  /// batch holds.
  public Tool withTimeout(Duration most) {
    if (most.isNegative() || most.isZero()) {
      throw new IllegalArgumentException("timeout of `" + name + "` must be positive");
    }
    var copy = new Tool(this);
    copy.limit = new Limit.Of(most);
    return copy;
  }

  /// Returns a copy whose calls may take as long as the run.
  public Tool withoutTimeout() {
    var copy = new Tool(this);
    copy.limit = new Limit.Unbounded();
    return copy;
  }

  /// The longest result that the model is shown, in characters.
  public Tool withResultLimit(int characters) {
    if (characters < 1) {
      throw new IllegalArgumentException("resultLimit of `" + name + "` must be at least 1");
    }
    var copy = new Tool(this);
    copy.resultLimit = characters;
    return copy;
  }

  /// Sets the policy, by which gates decide whether the tool may be called.
  public Tool withPolicy(ToolPolicy known) {
    var copy = new Tool(this);
    copy.policy = known;
    return copy;
  }

  /// Sets how a call is undone, before another one is made in its place: after a rewind, an edit or
  /// in a fork, when the model words it differently. Without this a person is asked.
  public Tool withUndo(ToolUndo how) {
    var copy = new Tool(this);
    copy.undo = how;
    return copy;
  }

  /// The questions that it may ask people: [ToolContext#ask].
  public Tool withQuestions(Question<?, ?>... asked) {
    var copy = new Tool(this);
    copy.questions = List.of(asked);
    return copy;
  }

  /// Returns a copy under another name.
  public Tool named(String other, String otherDescription) {
    return new Tool(this, other, otherDescription);
  }

  /// Returns a copy whose inner agents obey this gate, too.
  Tool within(ToolGate gate) {
    return body instanceof ToolBody.Run run ? new Tool(this, run.within(gate)) : this;
  }

  /// The name by which models call it.
  public String name() {
    return name;
  }

  /// The description for models.
  public ToolSpec spec() {
    return new ToolSpec(name, description, schema.json());
  }

  /// The policy.
  public ToolPolicy policy() {
    return policy;
  }

  /// The questions that it may ask people.
  public List<Question<?, ?>> questions() {
    return questions;
  }

  /// The graph that it is, if it is one.
  public Optional<ToolGraph> graph() {
    return body instanceof ToolBody.Run run ? Optional.of(run.graph()) : Optional.empty();
  }

  /// The effect of a call, by its policy: none if it only reads, idempotent if it says so,
  /// reversible if it can be undone, and otherwise, above all if nothing is known, irreversible.
  ///
  /// @param arguments as the model wrote them, which the schema accepts
  public Effect effect(String arguments) {
    if (policy.isReadOnly()) return Effect.none();
    if (policy.isIdempotent()) return Effect.idempotent();
    // As text that is read back from a store has it.
    var request = Json.parse(given(arguments));
    var how = undo;
    if (how == null) return Effect.irreversible(request);
    return Effect.reversible(
        request, (asked, made) -> how.undo(asked, made.as(RecordedResult.class).text()));
  }

  /// The time limit of a call, or null if there is none.
  ///
  /// @param inherited the limit of the agent or the batch
  @Nullable Duration timeout(Duration inherited) {
    return switch (limit) {
      case Limit.Inherited _ -> inherited;
      case Limit.Of(var time) -> time;
      case Limit.Unbounded _ -> null;
    };
  }

  /// The time limit of a call, if there is one.
  ///
  /// @param inherited the limit of the agent
  Optional<Duration> timeout(Optional<Duration> inherited) {
    return switch (limit) {
      case Limit.Inherited _ -> inherited;
      case Limit.Of(var time) -> Optional.of(time);
      case Limit.Unbounded _ -> Optional.empty();
    };
  }

  /// Sentences on what is wrong with the arguments as the model wrote them; none if they are good.
  List<String> problems(String arguments) {
    try {
      var text = given(arguments);
      boolean isAccepted = schema.accepts(text);
      var json = isAccepted ? Json.unchecked(text) : Json.parse(text);
      var violations = isAccepted ? List.<Violation>of() : schema.check(json);
      if (!violations.isEmpty()) return violations.stream().map(Violation::sentence).toList();
      var read = body.read(json);
      if (read.problems().isEmpty()) checked.put(arguments, read.value());
      return read.problems();
    } catch (MalformedJson e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  /// Runs the handler with arguments that have no [#problems].
  ToolResult run(String arguments, ToolContext context) throws Exception {
    var read = checked.take(arguments);
    if (read == null) read = body.read(Json.unchecked(given(arguments))).value();
    var returned = body.call(read, context);
    var result =
        switch (returned) {
          case null -> ToolResult.error("The tool returned nothing.");
          case ToolResult given -> given;
          case String text -> ToolResult.of(text);
          case Json json -> ToolResult.of(json.text());
          default -> ToolResult.of(written(returned));
        };
    return result.text().length() <= resultLimit
        ? result
        : result.withContent(Content.of(cut(result.text())));
  }

  private String written(Object returned) {
    try {
      return Json.of(returned).text();
    } catch (RuntimeException e) {
      throw new ToolError.Serialize(name, returned.getClass(), e);
    }
  }

  /// Models that call a tool without parameters often write nothing. Anywhere else nothing is an
  /// error: a call with a side effect must not run on guessed arguments.
  private String given(String arguments) {
    return arguments.isBlank() && !body.hasArguments() ? "{}" : arguments;
  }

  private String cut(String text) {
    var last = text.charAt(resultLimit - 1);
    var shown = text.substring(0, Character.isHighSurrogate(last) ? resultLimit - 1 : resultLimit);
    return "%s%n[cut off: the result has %d characters, the first %d are shown]"
        .formatted(shown, text.length(), shown.length())
        .replace("\r\n", "\n");
  }

  @Override
  public String toString() {
    var limits = new ArrayList<String>();
    if (policy.needsApproval()) limits.add("needs approval");
    if (limit instanceof Limit.Of(var time)) limits.add("timeout " + time);
    return "Tool[" + name + (limits.isEmpty() ? "" : ", " + String.join(", ", limits)) + "]";
  }
}
