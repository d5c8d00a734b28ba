package dev.superstep.server.internal.schedule;

import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.service.Document;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// A schedule as clients know it, in the body of its document. Immutable.
///
/// @param visible metadata that everything has which its user sees
/// @param onRunCompleted `delete` or `keep` the thread of a run that has none given
/// @param user who made it
record Cron(
    String schedule,
    Optional<String> timezone,
    Optional<Instant> endTime,
    boolean isEnabled,
    String onRunCompleted,
    String user,
    ObjectNode visible,
    ObjectNode payload) {
  static final String ENABLED = "enabled";
  static final String DISABLED = "disabled";
  private static final Set<String> OWN =
      Set.of("schedule", "timezone", "end_time", "enabled", "on_run_completed");

  /// Reads what a client wants.
  ///
  /// @throws HttpFailure 422 if something about it is wrong
  static Cron asked(JsonNode request, String user) {
    if (!(request instanceof ObjectNode fields)) {
      throw new HttpFailure(422, "The body must be an object with a schedule.");
    }
    var empty =
        new Cron(
            "",
            Optional.empty(),
            Optional.empty(),
            true,
            "delete",
            user,
            JsonNodeFactory.instance.objectNode(),
            JsonNodeFactory.instance.objectNode());
    var cron = empty.with(fields);
    if (cron.schedule().isEmpty()) throw new HttpFailure(422, "A cron needs a `schedule`.");
    return cron;
  }

  /// Returns this with what a client changes.
  ///
  /// @throws HttpFailure 422 if something about it is wrong
  Cron with(ObjectNode fields) {
    var more = payload.deepCopy();
    for (var field : fields.properties()) {
      if (!OWN.contains(field.getKey())) more.set(field.getKey(), field.getValue());
    }
    var changed =
        new Cron(
            text(fields, "schedule").orElse(schedule),
            fields.has("timezone") ? text(fields, "timezone") : timezone,
            fields.has("end_time") ? text(fields, "end_time").map(Cron::time) : endTime,
            flag(fields, "enabled", isEnabled),
            text(fields, "on_run_completed").orElse(onRunCompleted),
            user,
            visible,
            more);
    changed.check();
    return changed;
  }

  /// Returns this for a user who sees only what has such metadata.
  Cron seeing(ObjectNode metadata) {
    return new Cron(
        schedule, timezone, endTime, isEnabled, onRunCompleted, user, metadata, payload);
  }

  private void check() {
    if (!Set.of("delete", "keep").contains(onRunCompleted)) {
      throw new HttpFailure(422, "`on_run_completed` must be `delete` or `keep`.");
    }
    zone();
    if (!schedule.isEmpty()) expression();
  }

  private CronExpression expression() {
    try {
      return CronExpression.parse(schedule);
    } catch (IllegalArgumentException e) {
      throw new HttpFailure(422, "`schedule` is no cron expression: " + e.getMessage() + ".");
    }
  }

  private ZoneId zone() {
    try {
      return timezone.map(ZoneId::of).orElse(ZoneOffset.UTC);
    } catch (DateTimeException _) {
      throw new HttpFailure(422, "`timezone` must be a name such as `Europe/Berlin`.");
    }
  }

  /// The next time that it fires.
  ///
  /// @return empty if it is disabled or over
  Optional<Instant> next(Instant now) {
    if (!isEnabled) return Optional.empty();
    return expression()
        .next(now, zone())
        .filter(time -> endTime.isEmpty() || !time.isAfter(endTime.get()));
  }

  /// The document of it, with what it is found by.
  Document in(Document document, Instant now) {
    var next = next(now);
    var timed = next.isPresent() ? document.dueAt(next.get()) : document.neverDue();
    return timed.in(isEnabled ? ENABLED : DISABLED).updated(now).body(Trees.json(body(), "cron"));
  }

  private ObjectNode body() {
    var body = JsonNodeFactory.instance.objectNode();
    body.put("schedule", schedule);
    timezone.ifPresent(name -> body.put("timezone", name));
    endTime.ifPresent(time -> body.put("end_time", time.toString()));
    body.put("enabled", isEnabled);
    body.put("on_run_completed", onRunCompleted);
    body.put("user_id", user);
    body.set("visible", visible);
    body.set("payload", payload);
    return body;
  }

  /// Reads the body of a document.
  static Cron of(Document document) {
    var body = (ObjectNode) Trees.of(document.body());
    return new Cron(
        body.path("schedule").asString(),
        text(body, "timezone"),
        text(body, "end_time").map(Cron::time),
        body.path("enabled").asBoolean(),
        body.path("on_run_completed").asString(),
        body.path("user_id").asString(),
        body.path("visible") instanceof ObjectNode some ? some : body.objectNode(),
        (ObjectNode) body.path("payload"));
  }

  /// The form for clients.
  static ObjectNode json(Document document) {
    var cron = of(document);
    var json = JsonNodeFactory.instance.objectNode();
    json.put("cron_id", document.id());
    json.put("assistant_id", document.label());
    put(json, "thread_id", Optional.of(document.parent()).filter(id -> !id.isEmpty()));
    put(json, "on_run_completed", Optional.of(cron.onRunCompleted()));
    put(json, "end_time", cron.endTime().map(Instant::toString));
    json.put("schedule", cron.schedule());
    put(json, "timezone", cron.timezone());
    json.put("created_at", document.created().toString());
    json.put("updated_at", document.updated().toString());
    json.set("payload", cron.payload());
    json.put("user_id", cron.user());
    put(json, "next_run_date", document.due().map(Instant::toString));
    json.set("metadata", Trees.of(document.metadata()));
    json.put("enabled", cron.isEnabled());
    return json;
  }

  private static void put(ObjectNode json, String name, Optional<String> value) {
    if (value.isPresent()) json.put(name, value.get());
    else json.set(name, NullNode.instance);
  }

  static Optional<String> text(JsonNode fields, String name) {
    var value = fields.path(name);
    if (value.isMissingNode() || value.isNull()) return Optional.empty();
    if (!value.isString()) throw new HttpFailure(422, "`" + name + "` must be a string.");
    return Optional.of(value.stringValue());
  }

  static boolean flag(JsonNode fields, String name, boolean otherwise) {
    var value = fields.path(name);
    if (value.isMissingNode() || value.isNull()) return otherwise;
    if (!value.isBoolean()) throw new HttpFailure(422, "`" + name + "` must be true or false.");
    return value.booleanValue();
  }

  /// A time without an offset is one of UTC.
  private static Instant time(String text) {
    try {
      TemporalAccessor read =
          DateTimeFormatter.ISO_DATE_TIME.parseBest(
              text, OffsetDateTime::from, LocalDateTime::from);
      return read instanceof LocalDateTime local
          ? local.toInstant(ZoneOffset.UTC)
          : Instant.from(read);
    } catch (DateTimeException _) {
      throw new HttpFailure(422, "`end_time` must be a time such as `2026-01-31T08:00:00Z`.");
    }
  }
}
