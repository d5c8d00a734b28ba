package dev.superstep.server.internal.api;

import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.internal.schedule.Crons;
import java.util.Optional;

/// Schedules of runs.
public final class CronResource implements Resource {
  private final Crons crons;

  public CronResource(Crons crons) {
    this.crons = crons;
  }

  @Override
  public void addTo(Routes routes) {
    routes
        .on("POST", "/runs/crons", call -> crons.create(call, Optional.empty()))
        .on("POST", "/runs/crons/search", crons::search)
        .on("POST", "/runs/crons/count", crons::count)
        .on("PATCH", "/runs/crons/{cron}", crons::update)
        .on("DELETE", "/runs/crons/{cron}", crons::delete)
        .on(
            "POST",
            "/threads/{thread}/runs/crons",
            call -> crons.create(call, Optional.of(call.part("thread"))));
  }
}
