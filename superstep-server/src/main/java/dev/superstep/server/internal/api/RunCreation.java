package dev.superstep.server.internal.api;

import dev.superstep.server.internal.documents.Assistants;
import dev.superstep.server.internal.documents.RunStatus;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.queue.NewRun;
import dev.superstep.server.internal.queue.RunRequest;
import dev.superstep.server.internal.run.RunService;
import dev.superstep.server.internal.wire.RunMetadata;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Access.Action;
import dev.superstep.server.security.Principal;
import dev.superstep.service.Document;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/// Makes runs for requests, checked and authorized. Safe for many threads.
public final class RunCreation {
  private final Service service;
  private final ThreadAccess access;
  private final RunService runs;

  public RunCreation(Service service, ThreadAccess access, RunService runs) {
    this.service = service;
    this.access = access;
    this.runs = runs;
  }

  /// Makes a run.
  ///
  /// @param body of the request for it
  /// @param thread empty for a run without a thread of its own
  /// @throws HttpFailure if the body is not usable, or the run is not allowed
  Document create(Call call, JsonNode body, Optional<String> thread) {
    var request = RunRequest.of(body);
    var asked = new Asked(request, thread, false, call.carried(), principal(call));
    return make(allowed(call, request, thread), asked);
  }

  /// Asks whether a run may be made.
  ///
  /// @throws HttpFailure 403 if it may not
  public Granted allowed(Call call, RunRequest request, Optional<String> thread) {
    var value = request.body().deepCopy();
    thread.ifPresent(id -> value.put("thread_id", id));
    return service
        .guard()
        .check(
            call,
            new Access(Access.Resource.THREADS, Action.CREATE_RUN, Trees.json(value, "body")));
  }

  /// Refuses answers that do not fit what the thread asks, so that it goes on asking. Where that is
  /// not known yet the run itself finds out: behind another run, from an older checkpoint, or when
  /// nodes are begun anew.
  private void checkAnswers(RunRequest request, Document thread) {
    var resume = request.resume();
    boolean isKnown =
        !thread.status().equals(RunStatus.BUSY)
            && request.checkpoint().isEmpty()
            && request.answered().isEmpty()
            && Fields.isNone(request.command().orElseGet(request.body()::objectNode).path("goto"));
    if (resume.isEmpty() || !isKnown) return;
    var open = access.questions(thread);
    if (open.isEmpty()) return;
    var _ = access.graph(thread).answers(resume.get(), open);
  }

  /// A run that a client asks for. Immutable.
  ///
  /// @param thread empty for a run without a thread of its own
  /// @param isFollowed whether its client follows the events of the thread
  /// @param carried what the request gives to who listens to the server
  /// @param principal the id of the client; empty for anybody
  public record Asked(
      RunRequest request,
      Optional<String> thread,
      boolean isFollowed,
      Map<String, String> carried,
      String principal) {}

  /// The id of the client for whom a run works; empty where nobody needs to say who they are.
  public static String principal(Call call) {
    return call.principal().equals(Principal.ANONYMOUS) ? "" : call.principal().id();
  }

  /// Makes a run that is allowed.
  ///
  /// @throws HttpFailure if the request does not fit the graph
  public Document make(Granted granted, Asked asked) {
    var request = asked.request();
    var thread = asked.thread();
    var assistant =
        service
            .documents()
            .read(in -> Assistants.find(in, request.assistant(), runs.wires()::containsKey));
    var wire = runs.wire(assistant.parent());
    // Bad input is refused before anything is saved.
    if (request.hasInput()) {
      var _ = wire.input(request.input());
    }
    // A thread that another program made is adopted first.
    var known = thread.flatMap(id -> access.findIfAny(id, granted));
    if (known.isPresent()) checkAnswers(request, known.get());
    var metadata = ThreadDocuments.metadata(assistant);
    metadata.setAll(request.metadata());
    RunMetadata.check(metadata);
    return runs.create(
        new NewRun(
            UUID.randomUUID().toString(),
            thread.orElseGet(() -> UUID.randomUUID().toString()),
            thread.isEmpty(),
            request,
            assistant,
            granted.mark(metadata),
            granted.metadata(),
            asked.isFollowed(),
            asked.carried(),
            asked.principal()));
  }
}
