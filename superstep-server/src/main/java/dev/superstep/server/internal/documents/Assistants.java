package dev.superstep.server.internal.documents;

import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.ServiceTransaction;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The documents of assistants: graphs with configurations.
public final class Assistants {
  // The name space of object identifiers in RFC 9562, which LangGraph uses for graphs.
  private static final UUID GRAPHS = UUID.fromString("6ba7b821-9dad-11d1-80b4-00c04fd430c8");

  private Assistants() {}

  /// The id of a graph's own assistant: a UUID of version 5, so that it is the same everywhere.
  public static String idOf(String graph) {
    try {
      var digest = MessageDigest.getInstance("SHA-1");
      var space = ByteBuffer.allocate(16);
      space.putLong(GRAPHS.getMostSignificantBits()).putLong(GRAPHS.getLeastSignificantBits());
      digest.update(space.array());
      var bytes = ByteBuffer.wrap(digest.digest(graph.getBytes(StandardCharsets.UTF_8)));
      long most = (bytes.getLong() & 0xffff_ffff_ffff_0fffL) | 0x5000L;
      long least = (bytes.getLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
      return new UUID(most, least).toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }

  /// The assistant that each graph has by itself.
  public static Document ofGraph(ServiceTransaction in, ServedGraph graph) {
    var metadata = JsonNodeFactory.instance.objectNode().put("created_by", "system");
    var body = JsonNodeFactory.instance.objectNode();
    body.put("version", 1);
    body.set("config", body.objectNode());
    body.set("context", body.objectNode());
    if (!graph.description().isEmpty()) body.put("description", graph.description());
    return Document.of(DocumentKind.ASSISTANT, idOf(graph.id()), in.now())
        .under(graph.id())
        .labelled(graph.id())
        .metadata(Trees.json(metadata, "metadata"))
        .body(Trees.json(body, "assistant"));
  }

  /// Finds an assistant by its id or by that of its graph.
  ///
  /// @param isServed tells whether there is a graph of that id
  /// @throws HttpFailure 404 if there is none
  public static Document find(
      ServiceTransaction in, String id, java.util.function.Predicate<String> isServed) {
    var key = isServed.test(id) ? idOf(id) : id;
    return in.find(DocumentKind.ASSISTANT, key).orElseThrow(() -> unknown(id));
  }

  /// The failure that there is no such assistant.
  public static HttpFailure unknown(String id) {
    return new HttpFailure(
        404,
        "No assistant found for \"%s\". Make sure the assistant ID is for a valid assistant or a"
                .formatted(id)
            + " valid graph ID.");
  }

  /// An assistant as clients see it.
  public static ObjectNode json(Document assistant) {
    var body = ThreadDocuments.body(assistant);
    var json = JsonNodeFactory.instance.objectNode();
    json.put("assistant_id", assistant.id());
    json.put("graph_id", assistant.parent());
    json.put("name", assistant.label());
    json.set("config", body.has("config") ? body.get("config") : json.objectNode());
    json.set("context", body.has("context") ? body.get("context") : json.objectNode());
    json.set("metadata", ThreadDocuments.metadata(assistant));
    json.put("version", body.path("version").asInt(1));
    json.set("description", body.has("description") ? body.get("description") : json.nullNode());
    json.put("created_at", assistant.created().toString());
    json.put("updated_at", assistant.updated().toString());
    return json;
  }
}
