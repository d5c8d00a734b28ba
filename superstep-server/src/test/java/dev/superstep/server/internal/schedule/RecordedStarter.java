package dev.superstep.server.internal.schedule;

import dev.superstep.json.Json;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.ServiceTransaction;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Writes down the runs that are due in a log of the store, as a part of the transaction.
final class RecordedStarter implements RunStarter {
  static final String LOG = "started";

  @Override
  public Admitted check(Call call, Optional<String> thread, JsonNode request) {
    var assistant = request.path("assistant_id").asString();
    if (assistant.equals("none")) throw new HttpFailure(404, "No assistant found for \"none\".");
    return new Admitted(assistant, JsonNodeFactory.instance.objectNode());
  }

  @Override
  public void start(ServiceTransaction in, ScheduledRun run) {
    if (run.request().path("assistant_id").asString().equals("gone")) {
      throw new HttpFailure(404, "No assistant found for \"gone\".");
    }
    var line = run.cron() + " " + run.thread().orElse("-") + " " + run.user() + " " + run.request();
    in.append(LOG, List.of(Json.string(line)));
  }

  static List<String> started(ServiceStore store) {
    return store.read(in ->
        in.entries(LOG, 0, 9_999).stream().map(entry -> entry.value().as(String.class)).toList());
  }
}
