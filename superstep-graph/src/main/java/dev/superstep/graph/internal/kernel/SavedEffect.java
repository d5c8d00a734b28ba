package dev.superstep.graph.internal.kernel;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.Optional;

/// An effect that a step had, as it is saved in place of the result alone.
///
/// @param name the tool, or the node and the step
/// @param isUncertain whether it may not have happened
/// @param of the id of the recorded effect whose result this is, if nothing was done
public record SavedEffect(
    String name, Json request, Json result, boolean isUncertain, Optional<String> of) {
  public static final Codec<SavedEffect> CODEC = Codec.of(SavedEffect.class);

  /// No key of a node begins like this.
  private static final String PREFIX = "~e/";

  /// The key under which the effect of a step is saved.
  public static String key(String path) {
    return PREFIX + path;
  }

  public static boolean isKey(String key) {
    return key.startsWith(PREFIX);
  }

  /// The id of an effect in its thread.
  public static String id(String task, String key) {
    return task + " " + key.substring(PREFIX.length());
  }
}
