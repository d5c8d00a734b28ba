package dev.superstep.server.internal.api;

import dev.superstep.server.internal.documents.Assistants;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.queue.NewRun;
import dev.superstep.server.internal.queue.RunRequest;
import dev.superstep.server.internal.run.RunService;
import dev.superstep.server.internal.schedule.RunStarter;
import dev.superstep.server.internal.wire.RunMetadata;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Principal;
import dev.superstep.service.Document;
import dev.superstep.service.ServiceTransaction;
import dev.superstep.store.Namespace;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/// Starts the runs of schedules as if a client had asked for them. Safe for many threads.
public final class ScheduledRuns implements RunStarter {
  private final Service service;
  private final ThreadAccess access;
  private final RunService runs;

  public ScheduledRuns(Service service, ThreadAccess access, RunService runs) {
    this.service = service;
    this.access = access;
    this.runs = runs;
  }

  @Override
  public Admitted check(Call call, Optional<String> thread, JsonNode request) {
    var asked = RunRequest.of(request);
    var value = asked.body().deepCopy();
    thread.ifPresent(id -> value.put("thread_id", id));
    var wanted =
        new Access(
            Access.Resource.THREADS, Access.Action.CREATE_RUN, Trees.json(value, "the body"));
    RunMetadata.check(asked.metadata());
    var granted = service.guard().check(call, wanted);
    if (thread.isPresent()) {
      var _ = access.find(thread.get(), granted);
    }
    var assistant = service.documents().read(in -> assistant(in, asked));
    var wire = runs.wire(assistant.parent());
    if (asked.hasInput()) {
      var _ = wire.input(asked.input());
    }
    return new Admitted(assistant.id(), granted.metadata());
  }

  private Document assistant(ServiceTransaction in, RunRequest request) {
    return Assistants.find(in, request.assistant(), runs.wires()::containsKey);
  }

  @Override
  public void start(ServiceTransaction in, ScheduledRun due) {
    var request = RunRequest.of(due.request());
    var assistant = assistant(in, request);
    var metadata = ThreadDocuments.metadata(assistant);
    metadata.setAll(request.metadata());
    metadata.put("cron_id", due.cron());
    metadata.put("user_id", due.user());
    runs.createLater(
        in,
        new NewRun(
            UUID.randomUUID().toString(),
            due.thread().orElseGet(() -> UUID.randomUUID().toString()),
            due.thread().isEmpty(),
            request,
            assistant,
            new Granted(due.visible(), Namespace.root()).mark(metadata),
            due.visible(),
            false,
            Map.of(),
            Principal.ANONYMOUS.id().equals(due.user()) ? "" : due.user()));
  }
}
