package dev.superstep.state;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/// JSON merge patches, as RFC 7396 has them.
final class MergePatch {
  private static final Codec<Map<String, Json>> MEMBERS = Codec.mapOf(Json.class);

  private MergePatch() {}

  /// Returns the value after a patch. Members of objects are merged at any depth, and null removes
  /// one; what is no object is replaced.
  static Json apply(Json value, Json patch) {
    if (!isObject(patch)) return patch;
    var members = new LinkedHashMap<String, Json>();
    if (isObject(value)) members.putAll(MEMBERS.decode(value));
    for (var member : MEMBERS.decode(patch).entrySet()) {
      var name = member.getKey();
      if (member.getValue().equals(Json.ofNull())) members.remove(name);
      else {
        members.put(name, apply(members.getOrDefault(name, Json.ofNull()), member.getValue()));
      }
    }
    return MEMBERS.encode(members);
  }

  private static boolean isObject(Json json) {
    return json.text().startsWith("{");
  }
}
