package dev.superstep.mcp.internal.task;

import dev.superstep.mcp.internal.session.PagedLists;
import dev.superstep.mcp.internal.session.ServerSessions;
import dev.superstep.mcp.internal.transport.RequestFailed;
import dev.superstep.mcp.internal.wire.Wire;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The requests about tasks of a server. Safe for many threads.
public record TaskRequests(ServerSessions sessions, PagedLists.Requests requests) {
  private static final String ID = "taskId";

  /// The state of a task.
  public TaskState state(String id) throws InterruptedException, RequestFailed {
    return TaskState.read(sent("tasks/get", id, Wire.object()));
  }

  /// The result of a task of revision 2025-11-25, for which the server makes one wait.
  public JsonNode result(String id, Duration most) throws InterruptedException, RequestFailed {
    var params = Wire.object().put(ID, id);
    return sessions.session().request("tasks/result", params, most, _ -> {});
  }

  /// Gives a task of the extension what it has asked for.
  public void respond(String id, JsonNode responses) throws InterruptedException, RequestFailed {
    var params = Wire.object();
    params.set("inputResponses", responses);
    var _ = sent("tasks/update", id, params);
  }

  /// Asks for the end of a task.
  public void cancel(String id) throws InterruptedException, RequestFailed {
    var _ = sent("tasks/cancel", id, Wire.object());
  }

  private JsonNode sent(String method, String id, ObjectNode params)
      throws InterruptedException, RequestFailed {
    try {
      return requests.send(method, params.put(ID, id));
    } catch (RequestFailed e) {
      if (e.why() instanceof RequestFailed.Refused refused && refused.error() == -32602) {
        var how = "is not known there any more: it has expired or was lost";
        throw new RequestFailed(new RequestFailed.TaskLost(id, how));
      }
      throw e;
    }
  }
}
