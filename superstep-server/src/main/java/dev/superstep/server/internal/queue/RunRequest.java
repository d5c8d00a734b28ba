package dev.superstep.server.internal.queue;

import dev.superstep.run.Durability;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.webhook.Webhooks;
import dev.superstep.server.internal.wire.CheckpointRef;
import dev.superstep.server.internal.wire.stream.StreamMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The body of a request for a run, checked. Immutable.
///
/// @param body as the client sent it
public record RunRequest(ObjectNode body) {
  private static final long AFTER_MAX_SECONDS = Duration.ofDays(366).toSeconds();
  private static final int STEPS_MAX = 1_000_000;

  /// The field with the ids of the questions that a run answers, if its client named them.
  public static final String ANSWERED = "answered_interrupts";

  /// The strategies for a run on a thread that has another one.
  public enum Strategy {
    /// It is refused.
    REJECT,
    /// The other one is cancelled, and what it has done stays.
    INTERRUPT,
    /// The other one is cancelled and deleted.
    ROLLBACK,
    /// It waits for the other one.
    ENQUEUE
  }

  /// Checks a body.
  ///
  /// @throws HttpFailure 422 that names the field and the reason
  public static RunRequest of(JsonNode body) {
    var request = new RunRequest(Fields.of(body).json());
    // Everything is read once, so that a run in the queue cannot fail by its form.
    var _ = request.assistant();
    var _ = request.command();
    var _ = request.config();
    var _ = request.context();
    var _ = request.metadata();
    var _ = request.modes();
    var _ = request.strategy();
    var _ = request.checkpoint();
    var _ = request.webhook();
    var _ = request.after();
    var _ = request.durability();
    var _ = request.stepLimit();
    var _ = request.answered();
    var _ = request.isStrict();
    var _ = request.breakpoints("interrupt_before");
    var _ = request.breakpoints("interrupt_after");
    var _ = request.isKept();
    var _ = request.cancelsOnDisconnect();
    var _ = request.createsThread();
    return request;
  }

  /// The id of an assistant, or that of a graph.
  public String assistant() {
    // The neutral protocol calls it an agent.
    return fields().text("agent_id").orElseGet(() -> fields().required("assistant_id"));
  }

  /// The input; missing or null if the thread is resumed.
  public JsonNode input() {
    return body.path("input");
  }

  /// Returns whether there is new input, which an empty object is too.
  public boolean hasInput() {
    return !Fields.isNone(input()) && command().isEmpty();
  }

  /// The command of the client, instead of an input: `{update, resume, goto}`.
  public Optional<ObjectNode> command() {
    return fields().objectIfAny("command").filter(command -> !command.isEmpty());
  }

  /// The answers of its command; JSON null is one too.
  public Optional<JsonNode> resume() {
    return command().map(command -> command.path("resume")).filter(one -> !one.isMissingNode());
  }

  /// The ids of the questions that it answers, if it names them.
  public List<String> answered() {
    return fields().texts(ANSWERED);
  }

  /// Returns whether it is refused if it answers questions by their ids of which some are not open.
  public boolean isStrict() {
    return fields().flag("strict_resume", false);
  }

  /// `{tags, recursion_limit, configurable}`.
  public ObjectNode config() {
    return fields().object("config");
  }

  /// The context of the run.
  public ObjectNode context() {
    return fields().object("context");
  }

  /// The metadata that the client attached to the run.
  public ObjectNode metadata() {
    return fields().object("metadata");
  }

  /// The kinds of events that its stream has.
  public Set<StreamMode> modes() {
    return StreamMode.read(body.path("stream_mode"));
  }

  /// Returns whether its stream has events of graphs inside.
  public boolean showsSubgraphs() {
    return fields().flag("stream_subgraphs", false);
  }

  /// The strategy for it on a thread with another run.
  public Strategy strategy() {
    return fields().choice("multitask_strategy", Strategy.values()).orElse(Strategy.REJECT);
  }

  /// The checkpoint from which it begins, if that is not the newest.
  public Optional<CheckpointRef> checkpoint() {
    var named = body.path("checkpoint");
    var id = fields().text("checkpoint_id");
    if (Fields.isNone(named)) return id.map(CheckpointRef::of);
    var ref = CheckpointRef.read(named);
    return ref.id().isEmpty() && ref.namespace().isEmpty() ? Optional.empty() : Optional.of(ref);
  }

  /// Where its end is announced.
  public Optional<String> webhook() {
    return Webhooks.asked(body);
  }

  /// The time that it waits before it starts.
  public Duration after() {
    var value = body.path("after_seconds");
    if (Fields.isNone(value)) return Duration.ZERO;
    if (value.isNumber() && value.doubleValue() >= 0 && value.doubleValue() <= AFTER_MAX_SECONDS) {
      return Duration.ofMillis(Math.round(value.doubleValue() * 1000));
    }
    throw new HttpFailure(
        422, "Field `after_seconds` must be a number from 0 to " + AFTER_MAX_SECONDS + ".");
  }

  /// Returns whether the thread of a run without one stays after it.
  public boolean isKept() {
    return fields()
        .choice("on_completion", Completion.values())
        .equals(Optional.of(Completion.KEEP));
  }

  /// Returns whether it is cancelled when the client that streams it goes away.
  public boolean cancelsOnDisconnect() {
    return fields()
        .choice("on_disconnect", Disconnect.values())
        .equals(Optional.of(Disconnect.CANCEL));
  }

  /// Returns whether a thread that does not exist is made.
  public boolean createsThread() {
    return fields().choice("if_not_exists", Absence.values()).equals(Optional.of(Absence.CREATE));
  }

  /// When its results are saved, if the client says so.
  public Optional<Durability> durability() {
    var named = fields().choice("durability", Durability.values());
    if (named.isPresent()) return named;
    var during = body.path("checkpoint_during");
    if (Fields.isNone(during)) return Optional.empty();
    return Optional.of(
        fields().flag("checkpoint_during", true) ? Durability.ASYNC : Durability.EXIT);
  }

  /// The most supersteps, if the client says so.
  public OptionalInt stepLimit() {
    var limit = config().path("recursion_limit");
    if (Fields.isNone(limit)) return OptionalInt.empty();
    if (limit.canConvertToInt() && limit.isIntegralNumber()) {
      int steps = limit.intValue();
      if (steps >= 1 && steps <= STEPS_MAX) return OptionalInt.of(steps);
    }
    throw new HttpFailure(
        422, "Field `config.recursion_limit` must be a whole number from 1 to " + STEPS_MAX + ".");
  }

  /// The nodes of a field with breakpoints: `*` for all, or their names.
  public Optional<java.util.List<String>> breakpoints(String field) {
    var value = body.path(field);
    if (Fields.isNone(value)) return Optional.empty();
    if (value.isString()) return Optional.of(java.util.List.of(value.stringValue()));
    var names = fields().texts(field);
    return names.isEmpty() ? Optional.empty() : Optional.of(names);
  }

  private enum Completion {
    DELETE,
    KEEP
  }

  private enum Disconnect {
    CANCEL,
    CONTINUE
  }

  private enum Absence {
    CREATE,
    REJECT
  }

  private Fields fields() {
    return new Fields(body);
  }
}
