package dev.superstep.server.internal.api;

import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.internal.run.RunService;
import dev.superstep.server.internal.wire.GraphWire;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Access.Action;
import java.util.ArrayList;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The served graphs under the names of the neutral Agent Protocol; its runs, threads and items are
/// those of the other resources.
public final class AgentsResource implements Resource {
  private final Service service;
  private final RunService runs;

  public AgentsResource(Service service, RunService runs) {
    this.service = service;
    this.runs = runs;
  }

  @Override
  public void addTo(Routes routes) {
    routes
        .on("POST", "/agents/search", this::search)
        .on("GET", "/agents/{agent}", call -> Reply.ok(json(find(call))))
        .on("GET", "/agents/{agent}/schemas", call -> Reply.ok(schemas(find(call))));
  }

  private void check(Call call, Action action, JsonNode value) {
    var _ =
        service
            .guard()
            .check(call, new Access(Access.Resource.ASSISTANTS, action, Trees.json(value, "body")));
  }

  private GraphWire find(Call call) {
    var id = call.part("agent");
    check(call, Action.READ, JsonNodeFactory.instance.objectNode().put("agent_id", id));
    var wire = runs.wires().get(id);
    if (wire == null) throw new HttpFailure(404, "Agent '" + id + "' not found");
    return wire;
  }

  private Reply search(Call call) {
    var fields = Fields.of(call.body());
    check(call, Action.SEARCH, fields.json());
    var page = Page.of(fields);
    var name = fields.text("name").orElse("").toLowerCase(Locale.ROOT);
    var all = new ArrayList<ObjectNode>();
    for (var wire : runs.wires().values()) {
      boolean isNamed = wire.served().id().toLowerCase(Locale.ROOT).contains(name);
      if (isNamed) all.add(json(wire));
    }
    int from = Math.min(page.offset(), all.size());
    return page.reply(all.subList(from, Math.min(all.size(), from + page.more())));
  }

  private static ObjectNode json(GraphWire wire) {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("agent_id", wire.served().id());
    json.put("name", wire.served().id());
    json.put("description", wire.served().description());
    json.set("metadata", json.objectNode());
    var can = json.putObject("capabilities");
    can.put(
        "ap.io.messages", wire.schemas().path("input_schema").path("properties").has("messages"));
    can.put("ap.io.streaming", true);
    return json;
  }

  private static ObjectNode schemas(GraphWire wire) {
    var all = wire.schemas();
    var json = JsonNodeFactory.instance.objectNode();
    json.put("agent_id", wire.served().id());
    for (var name : new String[] {"input", "output", "state", "config"}) {
      json.set(name + "_schema", all.path(name + "_schema"));
    }
    return json;
  }
}
