package dev.superstep.server.internal.http;

import dev.superstep.json.Json;
import dev.superstep.store.Namespace;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// An action that may be done, and on what. Immutable.
///
/// @param metadata that everything it sees has, and everything it makes gets; empty for no limit
/// @param within the namespace that stands for the whole store; the root for no limit
public record Granted(ObjectNode metadata, Namespace within) {
  private static final JsonMapper JSON = new JsonMapper();

  /// An action without limits.
  public static final Granted ALL =
      new Granted(JsonNodeFactory.instance.objectNode(), Namespace.root());

  static Granted of(Optional<Json> metadata, Optional<Namespace> within) {
    var fields = JsonNodeFactory.instance.objectNode();
    if (metadata.isPresent()) {
      if (!(JSON.readTree(metadata.get().text()) instanceof ObjectNode object)) {
        throw new IllegalStateException(
            "the authorizer gave metadata that is no object: " + metadata.get().text());
      }
      fields = object;
    }
    return new Granted(fields, within.orElse(Namespace.root()));
  }

  /// The metadata that a client gave, for what is made or changed, or as a filter of what is
  /// searched, with that of the grant, which wins.
  ///
  /// @param given an object; anything else counts as none
  public ObjectNode mark(JsonNode given) {
    var all = given instanceof ObjectNode object ? object.deepCopy() : metadata.objectNode();
    all.setAll(metadata.deepCopy());
    return all;
  }

  /// Returns whether something with this metadata is seen. What is not seen is as if it were not
  /// there: status 404.
  public boolean sees(JsonNode itsMetadata) {
    for (var field : metadata.properties()) {
      if (!field.getValue().equals(itsMetadata.get(field.getKey()))) return false;
    }
    return true;
  }

  /// The namespace of the store for one that a client names.
  public Namespace whole(Namespace given) {
    return within.child(given.labels().toArray(String[]::new));
  }

  /// The namespace as the client names it.
  ///
  /// @param whole one inside [#within]
  public Namespace asGiven(Namespace whole) {
    return new Namespace(whole.labels().subList(within.labels().size(), whole.labels().size()));
  }
}
