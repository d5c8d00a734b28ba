package dev.superstep.server.internal.api;

import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.node.JsonNodeFactory;

/// Signs of life, for load balancers and clients that look for a server.
public final class HealthResource implements Resource {
  private final StoreProbe probe;
  private final String version;
  private final BooleanSupplier isDraining;

  /// @param isDraining whether no new work is taken
  public HealthResource(Service service, String version, BooleanSupplier isDraining) {
    this.probe = new StoreProbe(service.documents());
    this.version = version;
    this.isDraining = isDraining;
  }

  @Override
  public void addTo(Routes routes) {
    routes
        .open("GET", "/ok", _ -> ok())
        .open("GET", "/health/live", _ -> ok())
        .open("GET", "/health/ready", this::ready)
        .open("GET", "/info", this::info);
  }

  private static Reply ok() {
    return Reply.ok(JsonNodeFactory.instance.objectNode().put("ok", true));
  }

  private Reply ready(Call call) throws InterruptedException {
    if (isDraining.getAsBoolean()) throw unready("The server is stopping.");
    if (!probe.answers()) throw unready("The store does not answer.");
    return ok();
  }

  private static HttpFailure unready(String why) {
    return new HttpFailure(503, why).with("Retry-After", "1");
  }

  private Reply info(Call call) {
    var info = JsonNodeFactory.instance.objectNode().put("version", version);
    info.putObject("flags").put("assistants", true).put("crons", true).put("langsmith", false);
    return Reply.ok(info);
  }
}
