package dev.superstep.rag;

import dev.superstep.agent.steering.Steering;
import dev.superstep.budget.Ledger;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.json.SuperstepException;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.bounds.Bounds;
import dev.superstep.language.bounds.Limits;
import dev.superstep.node.NodeContext;
import dev.superstep.rag.error.InvalidFields;
import dev.superstep.rag.error.MayPassBudget;
import dev.superstep.rag.internal.binding.BoundGraph;
import dev.superstep.rag.internal.run.Meter;
import dev.superstep.rag.internal.run.RunDefaults;
import dev.superstep.rag.internal.run.RunErrors;
import dev.superstep.rag.internal.run.RunMetadata;
import dev.superstep.rag.internal.run.Scene;
import dev.superstep.rag.internal.run.SteeringRules;
import dev.superstep.rag.internal.value.JsonFields;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.schema.JsonSchema;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/// A graph that is written as text, bound to registered components. It runs like any graph, with
/// the options that its text sets; errors of its runs say where in the text.
///
/// ```java
/// var desk = Rag.compile(source, registry, CheckPolicy.file("desk.rag")).graph();
/// var outcome = desk.run(desk.input(Json.of(Map.of("claim", "..."))), RunOptions.defaults());
/// ```
///
/// Immutable, safe for many threads.
public final class RagGraph {
  private final Graph graph;
  private final Scene scene;
  private final RunErrors errors;

  private final Supplier<Bounds> bounds;
  private final Function<Limits, BoundGraph> binder;

  /// @param binder binds the same graph again, with more limits
  RagGraph(BoundGraph bound, Supplier<Bounds> bounds, Function<Limits, BoundGraph> binder) {
    this.graph = bound.graph();
    this.scene = bound.scene();
    this.errors = bound.errors();
    this.bounds = bounds;
    this.binder = binder;
  }

  /// The most that a run can take.
  public Bounds bounds() {
    return bounds.get();
  }

  /// Returns a copy whose runs cannot take more than this. It is refused here, before anything
  /// runs, if a run may take more: by what stands in the text, not by what usually happens. The
  /// limits on calls, tokens and money are also held while it runs, whatever crashes: a call that
  /// was sent counts, even if its process died. A thread that was begun with limits is resumed with
  /// limits.
  ///
  /// ```java
  /// desk.within(Limits.none().and(Measure.MODEL_CALLS, 40)).run(input, options);
  /// ```
  ///
  /// @throws MayPassBudget if a run may pass one of them
  public RagGraph within(Limits limits) {
    var passed = bounds().passing(limits);
    if (!passed.isEmpty()) throw new MayPassBudget(blueprint().graph(), passed);
    return new RagGraph(binder.apply(limits), bounds, binder);
  }

  /// The text as data.
  public Blueprint blueprint() {
    return scene.blueprint();
  }

  /// The graph itself. A caller that runs it without [#run] gives it [#options].
  public Graph graph() {
    return graph;
  }

  /// The options of a run, with those that the text sets in place of the caller's.
  ///
  /// @throws dev.superstep.rag.error.RagError if the text wants a stored thread and these name none
  public RunOptions options(RunOptions base) {
    return new RunDefaults(scene).options(base, Optional.empty());
  }

  /// The options of a run that also spends from a ledger of the caller.
  ///
  /// @throws dev.superstep.rag.error.RagError if the text wants a stored thread and these name none
  public RunOptions options(RunOptions base, Ledger shared) {
    return new RunDefaults(scene).options(base, Optional.of(shared));
  }

  /// Prepares a run of the graph inside a task of another one: within its own limits, which it
  /// spends of those around. Each process prepares it anew.
  public <S> Subgraph.Invocation<S> nested(Subgraph.Invocation<S> within, NodeContext context) {
    return Meter.NONE.nested(within, context, blueprint().graph(), new RunDefaults(scene).budget());
  }

  /// A steering that refuses what `steering` in the text does not allow, for runs that are given it
  /// by [Steering#KEY].
  public Steering steering() {
    return Steering.of(new SteeringRules(scene.blueprint()));
  }

  /// The input of a run: the fields of `input`, and values of other channels if there are any.
  ///
  /// @throws InvalidFields with everything that is missing, unknown or of another type
  public Input input(Map<String, ?> values) {
    var fields = new LinkedHashMap<String, Json>();
    values.forEach((name, value) -> fields.put(name, value instanceof Json j ? j : Json.of(value)));
    return checked(fields);
  }

  /// The input of a run as a JSON object.
  ///
  /// @throws InvalidFields with everything that is missing, unknown or of another type
  public Input input(Json object) {
    try {
      return checked(JsonFields.of(object));
    } catch (MalformedJson e) {
      throw new InvalidFields("input", blueprint().graph(), List.of("it is no JSON object"));
    }
  }

  /// The JSON Schema of what [#input(Json)] takes, for forms: the fields of `input`.
  public Json inputSchema() {
    var properties = new LinkedHashMap<String, Json>();
    var required = new java.util.ArrayList<String>();
    for (var field : blueprint().input()) {
      var codec = scene.types().bound(field.type()).codec();
      properties.put(field.name(), JsonSchema.of(codec).json());
      if (!field.isOptional()) required.add(field.name());
    }
    var schema = new LinkedHashMap<String, Object>();
    schema.put("type", "object");
    schema.put("title", blueprint().graph());
    schema.put("properties", properties);
    schema.put("required", required);
    return Json.of(schema);
  }

  private Input checked(Map<String, Json> values) {
    var problems = new java.util.ArrayList<String>();
    var input = Input.none();
    for (var field : blueprint().input()) {
      if (!field.isOptional() && !values.containsKey(field.name())) {
        problems.add("`%s` is missing, of type `%s`".formatted(field.name(), field.type()));
      }
    }
    for (var entry : values.entrySet()) {
      var name = entry.getKey();
      if (!scene.channels().containsKey(name)) {
        problems.add("`%s` is unknown".formatted(name));
        continue;
      }
      var channel = scene.channel(name);
      try {
        var _ = declared(name).map(type -> scene.types().bound(type).read(entry.getValue()));
        input = input.and(channel, channel.writes().decode(entry.getValue()));
      } catch (MalformedJson e) {
        problems.add("`%s` is not of type `%s`".formatted(name, type(name, channel)));
      }
    }
    if (!problems.isEmpty()) throw new InvalidFields("input", blueprint().graph(), problems);
    return new RunMetadata(scene).of(input);
  }

  private Optional<TypeName> declared(String name) {
    return blueprint().input().stream()
        .filter(field -> field.name().equals(name))
        .findFirst()
        .map(Value.Field::type);
  }

  private String type(String name, Channel<?, ?> channel) {
    return declared(name).map(TypeName::toString).orElseGet(() -> channel.writes().type());
  }

  /// Runs the graph on new input.
  ///
  /// @throws dev.superstep.rag.error.RagRunFailed if the run fails, with the place in the text
  /// @throws InterruptedException if the calling thread is interrupted, which cancels the run
  public Outcome run(Input input, RunOptions base) throws InterruptedException {
    var missing =
        blueprint().input().stream()
            .filter(field -> !field.isOptional() && !brings(input, field) && !isResumed(base))
            .map(field -> "`%s` is missing, of type `%s`".formatted(field.name(), field.type()))
            .toList();
    if (!missing.isEmpty()) throw new InvalidFields("input", blueprint().graph(), missing);
    var whole = new RunMetadata(scene).of(input, base);
    return located(() -> graph.invoke(whole, options(base)));
  }

  private static boolean brings(Input input, Value.Field field) {
    return input.writes().stream().anyMatch(w -> w.channel().name().equals(field.name()));
  }

  /// Returns whether the thread has run before, so that its state has the fields.
  private boolean isResumed(RunOptions base) {
    return base.thread().isPresent()
        && base.checkpointer().isPresent()
        && graph.state(base).isPresent();
  }

  /// Resumes a thread, with answers or after a failure or a crash.
  ///
  /// @throws dev.superstep.rag.error.RagRunFailed if the run fails, with the place in the text
  /// @throws InterruptedException if the calling thread is interrupted, which cancels the run
  public Outcome resume(Answers answers, RunOptions base) throws InterruptedException {
    return located(() -> graph.resume(answers, options(base)));
  }

  private interface Running {
    Outcome run() throws InterruptedException;
  }

  private Outcome located(Running running) throws InterruptedException {
    try {
      var outcome = running.run();
      if (outcome instanceof Outcome.Completed(var end)) output(end);
      return outcome;
    } catch (InvalidFields e) {
      throw e;
    } catch (SuperstepException e) {
      throw errors.located(e);
    }
  }

  /// The error of a run that a caller made by [#graph], in the words of the text: with its place,
  /// and without names of Java.
  public SuperstepException located(SuperstepException error) {
    return errors.located(error);
  }

  /// The fields of `output` in the final state of a run, as a JSON object.
  ///
  /// @throws InvalidFields if one is missing, or of another type
  public Json output(State end) {
    var values = new LinkedHashMap<String, Json>();
    var problems = new java.util.ArrayList<String>();
    for (var field : blueprint().output()) {
      var value = scene.channels().containsKey(field.name()) ? json(end, field.name()) : none();
      if (value.isEmpty()) {
        if (!field.isOptional()) problems.add("`%s` is missing".formatted(field.name()));
        continue;
      }
      try {
        var _ = scene.types().bound(field.type()).read(value.get());
        values.put(field.name(), value.get());
      } catch (MalformedJson e) {
        problems.add("`%s` is not of type `%s`".formatted(field.name(), field.type()));
      }
    }
    if (problems.isEmpty()) return JsonFields.object(values);
    throw new InvalidFields("output", blueprint().graph(), problems);
  }

  private static Optional<Json> none() {
    return Optional.empty();
  }

  /// The values of all channels of the text, as a JSON object with sorted keys. Values that are
  /// never stored are left out.
  public Json export(State state) {
    var values = new TreeMap<String, Json>();
    scene
        .channels()
        .forEach((name, channel) -> {
          if (channel.isTracked()) json(state, name).ifPresent(value -> values.put(name, value));
        });
    return JsonFields.object(values);
  }

  private Optional<Json> json(State state, String name) {
    var channel = scene.channel(name);
    return state.find(channel).map(channel.values()::encode);
  }

  /// The value of a channel, if it has one.
  ///
  /// @throws IllegalArgumentException if there is no such channel
  public Optional<Object> value(State state, String channel) {
    return state.find(scene.channel(channel));
  }

  /// The channels by name.
  public Map<String, Channel<?, ?>> channels() {
    return scene.channels();
  }

  @Override
  public String toString() {
    return graph.toString();
  }
}
