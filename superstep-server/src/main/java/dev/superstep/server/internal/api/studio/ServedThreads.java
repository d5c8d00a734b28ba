package dev.superstep.server.internal.api.studio;

import dev.superstep.json.Json;
import dev.superstep.server.internal.api.Service;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.security.Access;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The threads that are documents of the service. Safe for many threads.
public final class ServedThreads implements StudioThreads {
  private static final String BUSY = "busy";

  private final Service service;

  public ServedThreads(Service service) {
    this.service = service;
  }

  @Override
  public void admit(Call call, Access.Action action, String thread) {
    var granted = granted(call, action, thread);
    if (action == Access.Action.CREATE) return;
    find(thread)
        .filter(known -> granted.sees(metadata(known)))
        .orElseThrow(() -> new HttpFailure(404, "Thread `" + thread + "` was not found."));
  }

  private Granted granted(Call call, Access.Action action, String thread) {
    var wanted = StudioReplies.object().put("thread_id", thread);
    var access = new Access(Access.Resource.THREADS, action, Json.parse(wanted.toString()));
    return service.guard().check(call, access);
  }

  private Optional<Document> find(String thread) {
    return service.documents().read(in -> in.find(DocumentKind.THREAD, thread));
  }

  private static JsonNode metadata(Document thread) {
    return StudioReplies.tree(thread.metadata());
  }

  @Override
  public void forked(Call call, String from, String as) {
    var granted = granted(call, Access.Action.CREATE, as);
    var status = status(as);
    service
        .documents()
        .write(in -> {
          var given = in.find(DocumentKind.THREAD, from).map(ServedThreads::metadata);
          var metadata = granted.mark(given.orElseGet(StudioReplies::object));
          return in.insert(
              Document.of(DocumentKind.THREAD, as, in.now())
                  .in(status)
                  .metadata(Json.parse(metadata.toString())));
        });
  }

  @Override
  public void changed(String thread) {
    var status = status(thread);
    service
        .documents()
        .write(in ->
            in.find(DocumentKind.THREAD, thread)
                .filter(known -> !known.status().equals(BUSY))
                .map(known -> in.replace(known.in(status).updated(in.now()))));
  }

  /// As LangGraph's clients know it: one with work left that nobody does waits for somebody.
  private String status(String thread) {
    return SavedThread.find(service.checkpointer(), thread)
        .map(saved -> saved.status(service.checkpointer()))
        .map(known -> known.equals("stopped") || known.equals(BUSY) ? "idle" : known)
        .orElse("idle");
  }
}
