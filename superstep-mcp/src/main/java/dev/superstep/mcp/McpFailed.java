package dev.superstep.mcp;

import dev.superstep.json.SuperstepException;
import dev.superstep.mcp.internal.transport.RequestFailed;
import dev.superstep.tool.ToolError;
import org.jspecify.annotations.Nullable;

/// The failure of an MCP server or of the way to it. A tool that says that its call failed is none:
/// that is a result, which the model sees.
public abstract sealed class McpFailed extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final String server;

  private McpFailed(String code, String server, String what, @Nullable Throwable cause) {
    super(code, "MCP server `" + server + "` " + what, cause);
    this.server = server;
  }

  /// The failure of a request to a server.
  static McpFailed of(String server, RequestFailed failed) {
    return switch (failed.why()) {
      case RequestFailed.NotConnected(_, RequestFailed cause) -> {
        var known = of(server, cause);
        yield new NotConnected(server, String.valueOf(known.getMessage()), known);
      }
      case RequestFailed.NotConnected(var why, var cause) -> new NotConnected(server, why, cause);
      case RequestFailed.Lost(var method, var why) -> new ConnectionLost(server, method, why);
      case RequestFailed.Refused refused -> new Refused(server, refused);
      case RequestFailed.TimedOut(var method, var most) -> new TimedOut(server, method, most);
      case RequestFailed.Misbehaved(var how) -> new Misbehaved(server, how);
      case RequestFailed.TaskLost(var task, var how) -> new TaskLost(server, task, how);
      case RequestFailed.Unauthorized(var status) -> new Unauthorized(server, status);
    };
  }

  /// The name of the server.
  public String server() {
    return server;
  }

  /// A server that cannot be started or reached, or that does not greet back.
  public static final class NotConnected extends McpFailed {
    private static final long serialVersionUID = 1;

    NotConnected(String server, String why, @Nullable Throwable cause) {
      super("mcp.not-connected", server, "cannot be connected: " + why, cause);
    }
  }

  /// A connection that ended while a request was on its way. It is not sent again by itself.
  public static final class ConnectionLost extends McpFailed {
    private static final long serialVersionUID = 1;

    ConnectionLost(String server, String method, String why) {
      super(
          "mcp.connection-lost",
          server,
          "was lost during `%s`: %s. Whether it was done is not known; look before you try again."
              .formatted(method, why),
          null);
    }
  }

  /// A request that the server answered with an error.
  public static final class Refused extends McpFailed {
    private static final long serialVersionUID = 1;

    private final int error;

    Refused(String server, RequestFailed.Refused why) {
      super(
          "mcp.refused",
          server,
          "refused `%s` with error %d: %s"
              .formatted(why.method(), why.error(), ToolError.quote(why.message())),
          null);
      this.error = why.error();
    }

    /// The number of the error, as JSON-RPC and MCP assign them.
    public int error() {
      return error;
    }
  }

  /// A request without an answer in its time.
  public static final class TimedOut extends McpFailed {
    private static final long serialVersionUID = 1;

    TimedOut(String server, String method, java.time.Duration most) {
      super(
          "mcp.timed-out",
          server,
          "did not answer `%s` within %d ms. It was told to stop; raise the limit if it needs more."
              .formatted(method, most.toMillis()),
          null);
    }
  }

  /// A call whose task has no result: the server does not know the task any more, or it was
  /// cancelled. It is not made again by itself.
  public static final class TaskLost extends McpFailed {
    private static final long serialVersionUID = 1;

    private final String task;

    TaskLost(String server, String task, String how) {
      super(
          "mcp.task-lost",
          server,
          "has no result for task `%s`: it %s. Whether it was done is not known; look before you"
                  .formatted(ToolError.quote(task), how)
              + " try again.",
          null);
      this.task = task;
    }

    /// The id of the task.
    public String task() {
      return task;
    }
  }

  /// A server that breaks the protocol or a limit.
  public static final class Misbehaved extends McpFailed {
    private static final long serialVersionUID = 1;

    Misbehaved(String server, String how) {
      super("mcp.misbehaved", server, how + " Report it to those who make it.", null);
    }
  }

  /// A server that wants credentials, or other ones.
  public static final class Unauthorized extends McpFailed {
    private static final long serialVersionUID = 1;

    private final int status;

    Unauthorized(String server, int status) {
      super(
          "mcp.unauthorized",
          server,
          "answered with status %d. Give it a token with `bearer`, or another one."
              .formatted(status),
          null);
      this.status = status;
    }

    /// The status of HTTP.
    public int status() {
      return status;
    }
  }

  /// Settings that cannot be used: an entry of a file, or the file of approved tools.
  public static final class Misconfigured extends McpFailed {
    private static final long serialVersionUID = 1;

    Misconfigured(String server, String why, @Nullable Throwable cause) {
      super("mcp.misconfigured", server, "cannot be used: " + why, cause);
    }
  }
}
