package dev.superstep.server.internal.api.events;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.server.internal.api.RunCreation;
import dev.superstep.server.internal.api.ThreadAccess;
import dev.superstep.server.internal.api.events.ProtocolFailure.Code;
import dev.superstep.server.internal.documents.RunStatus;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.queue.RunRequest;
import dev.superstep.server.internal.wire.CheckpointRef;
import dev.superstep.server.internal.wire.stream.ProtocolFilter;
import dev.superstep.service.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The commands that make runs: with input, with answers, with a message for the run at work, and
/// from an older checkpoint. Safe for many threads.
final class RunCommands {
  private static final List<String> PASSED =
      List.of("config", "metadata", "context", "durability", "interrupt_before", "interrupt_after");
  private static final List<String> PLACES =
      List.of("thread_id", "checkpoint_id", "checkpoint_ns", "checkpoint_map");
  private static final int RESPONSES_MAX = 1_000;

  private final ThreadAccess access;
  private final RunCreation creation;

  RunCommands(ThreadAccess access, RunCreation creation) {
    this.access = access;
    this.creation = creation;
  }

  /// `run.start`: new input; on a thread that asks something and does nothing else, its answer.
  ObjectNode start(Call call, String thread, Fields params) {
    var body = body(params).put("assistant_id", params.required("assistant_id"));
    body.set("input", params.any("input").deepCopy());
    params
        .text("multitask_strategy")
        .or(() -> params.text("multitaskStrategy"))
        .ifPresent(strategy -> body.put("multitask_strategy", strategy));
    var granted = creation.allowed(call, RunRequest.of(body), Optional.of(thread));
    var known = access.findIfAny(thread, granted);
    var open = known.filter(RunCommands::isAtRest).map(access::questions).orElse(List.of());
    boolean isAnswer =
        !open.isEmpty() && !Fields.isNone(params.any("input")) && !body.has("checkpoint");
    if (isAnswer) {
      body.putNull("input");
      body.putObject("command").set("resume", params.any("input").deepCopy());
      // What does not fit is refused before anything is saved.
      var _ = access.graph(known.orElseThrow()).answers(params.any("input"), open);
    }
    return made(call, granted, body, thread);
  }

  private static boolean isAtRest(Document thread) {
    return !thread.status().equals(RunStatus.BUSY);
  }

  /// `input.respond`: answers to questions, by their ids.
  ObjectNode respond(Call call, String thread, Fields params) {
    var resume = JsonNodeFactory.instance.objectNode();
    var responses = params.any("responses");
    if (Fields.isNone(responses)) response(params, resume);
    else many(responses, resume);
    var body = body(params).putNull("input");
    var command = body.putObject("command");
    command.set("resume", resume);
    for (var field : List.of("update", "goto")) {
      if (!Fields.isNone(params.any(field))) command.set(field, params.any(field).deepCopy());
    }
    var ids = body.putArray(RunRequest.ANSWERED);
    resume.propertyNames().forEach(ids::add);
    body.put("strict_resume", params.flag("strict_resume", false));
    named(body, thread);
    var granted = creation.allowed(call, RunRequest.of(body), Optional.of(thread));
    var known = access.find(thread, granted);
    body.put("assistant_id", assistant(known));
    checkOpen(known, resume, body.path("strict_resume").booleanValue());
    return made(call, granted, body, thread);
  }

  private static void many(JsonNode responses, ObjectNode resume) {
    if (!responses.isArray() || responses.isEmpty() || responses.size() > RESPONSES_MAX) {
      throw Fields.bad("responses", "must be a list of 1 to " + RESPONSES_MAX + " answers");
    }
    for (var response : responses) response(Fields.of(response), resume);
  }

  private static void response(Fields response, ObjectNode resume) {
    var _ = ProtocolFilter.namespace(response.any("namespace"), "namespace");
    var id = response.required("interrupt_id");
    if (!response.json().has("response")) throw Fields.bad("response", "is missing");
    if (resume.has(id)) throw Fields.bad("interrupt_id", "answers `" + id + "` twice");
    resume.set(id, response.any("response").deepCopy());
  }

  /// Refuses answers to nothing and answers that do not fit, before anything is saved. If others
  /// may have answered meanwhile, the run itself finds out.
  private void checkOpen(Document thread, ObjectNode resume, boolean isStrict) {
    var open = access.questions(thread);
    var known = JsonNodeFactory.instance.objectNode();
    for (var question : open) {
      if (resume.has(question.id())) known.set(question.id(), resume.get(question.id()));
    }
    if (!known.isEmpty()) {
      var _ = access.graph(thread).answers(known, open);
    } else if (!isStrict && isAtRest(thread)) {
      throw new ProtocolFailure(
          Code.NO_SUCH_INTERRUPT,
          "Thread %s asks none of %s; open are %s."
              .formatted(
                  thread.id(),
                  List.copyOf(resume.propertyNames()),
                  open.stream().map(Interrupt::id).toList()));
    }
  }

  /// `input.inject`: a message for the run at work. It is the input of a run after that one, so
  /// that it is saved and no step sees half of it.
  ObjectNode inject(Call call, String thread, Fields params) {
    var _ = ProtocolFilter.namespace(params.any("namespace"), "namespace");
    var message = new Fields(params.object("message"));
    var role = message.required("role");
    if (!role.equals("user") && !role.equals("system")) {
      throw Fields.bad("message.role", "must be user or system");
    }
    var body = named(body(params), thread);
    var granted = creation.allowed(call, RunRequest.of(body), Optional.of(thread));
    var known = access.find(thread, granted);
    if (isAtRest(known)) {
      throw new ProtocolFailure(
          Code.NO_SUCH_RUN, "Thread " + thread + " has no run at work. Use run.start.");
    }
    var channel =
        access
            .graph(known)
            .conversation()
            .orElseThrow(() ->
                new ProtocolFailure(
                    Code.NOT_SUPPORTED, "The graph of thread " + thread + " takes no messages."));
    body.put("assistant_id", assistant(known));
    body.putObject("input")
        .putArray(channel)
        .addObject()
        .put("type", role.equals("user") ? "human" : role)
        .put("content", message.required("content"));
    return made(call, granted, body, thread);
  }

  /// `state.fork`: a run from an older checkpoint of the thread.
  ObjectNode fork(Call call, String thread, Fields params) {
    var id = params.required("checkpoint_id");
    var body = named(body(params), thread);
    body.putObject("checkpoint").put("checkpoint_id", id);
    body.set("input", params.any("input").deepCopy());
    var granted = creation.allowed(call, RunRequest.of(body), Optional.of(thread));
    var known = access.find(thread, granted);
    var states = access.states(access.graph(known));
    if (states.at(thread, CheckpointRef.of(id), false).isEmpty()) {
      throw new ProtocolFailure(
          Code.NO_SUCH_CHECKPOINT, "Checkpoint " + id + " not found on thread " + thread + ".");
    }
    body.put("assistant_id", assistant(known));
    return made(call, granted, body, thread).put("thread_id", thread);
  }

  /// With the assistant of the thread. Whether there is one is told only to who may know it.
  private ObjectNode named(ObjectNode body, String thread) {
    return body.put("assistant_id", access.assistant(thread).orElse(thread));
  }

  private static String assistant(Document thread) {
    var metadata = ThreadDocuments.metadata(thread);
    var graph = metadata.path("graph_id").asString("");
    var assistant = metadata.path("assistant_id").asString(graph);
    if (!assistant.isEmpty()) return assistant;
    throw new ProtocolFailure(
        Code.NO_SUCH_RUN, "Thread " + thread.id() + " has had no run. Use run.start.");
  }

  /// The body of the request for a run, with what all commands have in common.
  private static ObjectNode body(Fields params) {
    var body = JsonNodeFactory.instance.objectNode();
    for (var field : PASSED) {
      if (!Fields.isNone(params.any(field))) body.set(field, params.any(field).deepCopy());
    }
    body.put("multitask_strategy", "enqueue").put("if_not_exists", "create");
    body.putArray("stream_mode").add("values").add("messages-tuple");
    body.put("stream_subgraphs", true);
    if (body.path("config").path("configurable") instanceof ObjectNode configurable) {
      var id = configurable.path("checkpoint_id");
      if (!Fields.isNone(id)) {
        var checkpoint = body.putObject("checkpoint");
        checkpoint.set("checkpoint_id", id);
        checkpoint.set("checkpoint_ns", configurable.path("checkpoint_ns"));
      }
      for (var place : new ArrayList<>(PLACES)) configurable.remove(place);
    }
    return body;
  }

  private ObjectNode made(Call call, Granted granted, ObjectNode body, String thread) {
    var run =
        creation.make(
            granted,
            new RunCreation.Asked(
                RunRequest.of(body),
                Optional.of(thread),
                true,
                call.carried(),
                RunCreation.principal(call)));
    return JsonNodeFactory.instance.objectNode().put("run_id", run.id());
  }
}
