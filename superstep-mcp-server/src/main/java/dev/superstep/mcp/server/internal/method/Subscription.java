package dev.superstep.mcp.server.internal.method;

import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.protocol.Outlet;
import dev.superstep.mcp.server.internal.protocol.Revision;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.internal.protocol.RpcFailure;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The changes that a client of revision 2026-07-28 listens to. Safe for many threads.
///
/// @param id of the request that began it
/// @param methods of the notifications that it wants
/// @param uris of the resources that it watches
public record Subscription(JsonNode id, Set<String> methods, Set<String> uris, Outlet outlet) {
  private static final int URIS_MAX = 1_000;
  private static final String UPDATED = "notifications/resources/updated";

  static Subscription of(JsonNode id, JsonNode filter, Outlet outlet) throws RpcFailure {
    var methods = new HashSet<String>();
    for (var kind : new String[] {"tools", "prompts", "resources"}) {
      if (filter.path(kind + "ListChanged").asBoolean(false)) {
        methods.add("notifications/" + kind + "/list_changed");
      }
    }
    var uris = new HashSet<String>();
    for (var uri : filter.path("resourceSubscriptions")) {
      if (uris.size() == URIS_MAX) {
        throw RpcFailure.params("More than " + URIS_MAX + " resources are watched at once.");
      }
      uris.add(uri.asString(""));
    }
    return new Subscription(id, methods, uris, outlet);
  }

  /// Tells the client what it will hear.
  void acknowledge(JsonNode filter) {
    var params = Wire.object();
    var agreed = params.putObject("notifications");
    for (var field : filter.properties()) {
      var name = field.getKey();
      if (name.endsWith("ListChanged") || name.equals("resourceSubscriptions")) {
        agreed.set(name, field.getValue());
      }
    }
    send("notifications/subscriptions/acknowledged", params);
  }

  void tell(String method, ObjectNode params) {
    boolean isWanted =
        method.equals(UPDATED) ? uris.contains(Wire.text(params, "uri")) : methods.contains(method);
    if (isWanted) send(method, params.deepCopy());
  }

  private void send(String method, ObjectNode params) {
    params.withObjectProperty("_meta").set(Revision.META + "subscriptionId", id);
    outlet.send(Rpc.notification(method, params));
  }
}
