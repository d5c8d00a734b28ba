package dev.superstep.server.internal.queue;

import dev.superstep.service.Document;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// A run that is to be made. Immutable.
///
/// @param id of the run
/// @param thread of the run; one that is made for it if it is stateless
/// @param isStateless whether the client named no thread
/// @param request its checked body
/// @param assistant that runs
/// @param metadata what the request attached, with the limits of who sent it
/// @param visible metadata that the thread must have to be seen by who sent it
/// @param isFollowed whether who sent it follows the events of the thread
/// @param carried what the request gives to who listens to the server: see
///   [dev.superstep.server.log.ServerListener.RequestSpan#carried]
/// @param principal the id of who sent it; empty if nobody needs to say who they are
public record NewRun(
    String id,
    String thread,
    boolean isStateless,
    RunRequest request,
    Document assistant,
    ObjectNode metadata,
    ObjectNode visible,
    boolean isFollowed,
    Map<String, String> carried,
    String principal) {}
