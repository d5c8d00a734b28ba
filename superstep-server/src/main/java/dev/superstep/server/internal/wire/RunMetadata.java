package dev.superstep.server.internal.wire;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.ValueOverLimit;
import dev.superstep.json.InvalidName;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.server.internal.http.HttpFailure;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Metadata of runs in the form in which the engine keeps it in checkpoints: text by name. Strings
/// are kept as they are, anything else as JSON with a mark, so that equal values stay equal.
public final class RunMetadata {
  /// The metadata of a run that says on which checkpoint its input is, if that is not its parent.
  public static final String PARENT = "superstep_parent";

  /// The metadata of a run that says how many inputs the thread had before its own: LangGraph
  /// counts a step for each, which the engine does not.
  public static final String INPUTS = "superstep_inputs";

  private static final String OWN = "superstep_";
  private static final String MARK = "json:";

  private RunMetadata() {}

  /// The stored form of what a client attached to a run, or of a filter.
  ///
  /// @throws HttpFailure 422 if it is no object
  public static Map<String, String> stored(JsonNode metadata) {
    var all = new LinkedHashMap<String, String>();
    if (metadata.isMissingNode() || metadata.isNull()) return all;
    if (!metadata.isObject()) throw new HttpFailure(422, "metadata must be an object");
    metadata.forEachEntry((name, value) -> {
      if (!name.startsWith(OWN)) all.put(name, stored(name, value));
    });
    return all;
  }

  /// Checks that the engine can keep what a client attached to a run.
  ///
  /// @throws HttpFailure 422 if it cannot
  public static void check(ObjectNode metadata) {
    for (var entry : stored(metadata).entrySet()) {
      try {
        var _ = InvalidName.check("Metadata", entry.getKey());
        var _ = ValueOverLimit.checkedText(entry.getValue(), "metadata", entry.getKey());
      } catch (InvalidName | ValueOverLimit refused) {
        throw new HttpFailure(422, String.valueOf(refused.getMessage()));
      }
    }
  }

  private static String stored(String name, JsonNode value) {
    if (value.isString() && !value.stringValue().startsWith(MARK)) return value.stringValue();
    return MARK + Trees.json(value, "metadata." + name).canonical().text();
  }

  /// The number of inputs that the thread had before that of a run: for [#INPUTS].
  ///
  /// @param before the checkpoint from which the run begins, if there is one
  /// @param isInput whether the run has an input, in place of going on
  public static int inputs(Optional<Checkpoint> before, boolean isInput) {
    return before.map(at -> step(at.metadata(), isInput ? 1 : 0)).orElse(0);
  }

  /// A step of the engine as LangGraph counts it.
  public static int step(Map<String, String> stored, int step) {
    try {
      return step + Integer.parseInt(stored.getOrDefault(INPUTS, "0"));
    } catch (NumberFormatException _) {
      return step;
    }
  }

  /// The metadata of a checkpoint for clients, without what only the server needs.
  public static ObjectNode shown(Map<String, String> stored) {
    var all = JsonNodeFactory.instance.objectNode();
    stored.forEach((name, value) -> {
      if (!name.startsWith(OWN)) all.set(name, shown(value));
    });
    return all;
  }

  private static JsonNode shown(String value) {
    if (!value.startsWith(MARK)) return JsonNodeFactory.instance.stringNode(value);
    try {
      return Trees.of(Json.parse(value.substring(MARK.length())));
    } catch (SuperstepException _) {
      // Somebody else wrote it: it is text that looks like ours.
      return JsonNodeFactory.instance.stringNode(value);
    }
  }
}
