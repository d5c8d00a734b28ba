package dev.superstep.server.internal.wire.stream;

import dev.superstep.event.Detail;
import dev.superstep.server.internal.http.HttpFailure;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The kinds of events that a client can ask for in the stream of a run.
public enum StreamMode {
  VALUES("values", Detail.VALUES),
  UPDATES("updates", Detail.UPDATES),
  MESSAGES("messages", Detail.UPDATES),
  MESSAGES_TUPLE("messages-tuple", Detail.UPDATES),
  CUSTOM("custom"),
  TASKS("tasks", Detail.TASKS, Detail.VALUES),
  CHECKPOINTS("checkpoints", Detail.CHECKPOINTS, Detail.VALUES),
  DEBUG("debug", Detail.TASKS, Detail.CHECKPOINTS, Detail.VALUES),
  EVENTS("events", Detail.UPDATES, Detail.TASKS),
  TOOLS("tools", Detail.TASKS, Detail.UPDATES);

  private final String text;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of makes an immutable one.
  private final Set<Detail> details;

  StreamMode(String text, Detail... details) {
    this.text = text;
    this.details = Set.of(details);
  }

  /// The name on the wire.
  public String text() {
    return text;
  }

  /// The name of its events.
  public String event() {
    return this == MESSAGES_TUPLE ? MESSAGES.text : text;
  }

  /// The details that the engine must be asked for.
  public Set<Detail> details() {
    return details;
  }

  /// Reads `stream_mode`: a name or a list of names; `values` if nothing is said.
  ///
  /// @throws HttpFailure 422 if one is unknown
  public static Set<StreamMode> read(JsonNode json) {
    if (json.isMissingNode() || json.isNull()) return EnumSet.of(VALUES);
    if (json.isString()) return EnumSet.of(named(json.stringValue()));
    if (!json.isArray()) throw new HttpFailure(422, "stream_mode must be a string or a list");
    var modes = new LinkedHashSet<StreamMode>();
    for (var each : json) {
      if (!each.isString()) throw new HttpFailure(422, "stream_mode must hold strings");
      modes.add(named(each.stringValue()));
    }
    return modes.isEmpty() ? EnumSet.of(VALUES) : modes;
  }

  private static StreamMode named(String name) {
    for (var mode : values()) if (mode.text.equals(name)) return mode;
    var known = new LinkedHashSet<String>();
    for (var mode : values()) known.add(mode.text);
    throw new HttpFailure(422, "stream_mode `%s` is unknown; use one of %s".formatted(name, known));
  }
}
