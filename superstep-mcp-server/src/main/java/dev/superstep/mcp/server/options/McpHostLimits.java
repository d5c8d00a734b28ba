package dev.superstep.mcp.server.options;

import java.time.Duration;

/// The most that clients may send and have done. Immutable; each method returns a changed copy.
///
/// @param messageBytes of one message of a client on a standard stream; over HTTP, the limits of
///   the server count
/// @param depth of the nesting of one message
/// @param page the entries of one page of a list
/// @param resultBytes of one result; a longer one becomes an error
/// @param concurrent requests of one session that are at work at once
/// @param queue requests of one session that wait for others of it
/// @param tasks that are at work at once for all sessions
/// @param sessions over HTTP for all clients
/// @param notifications of one call that are passed on: progress and log messages
/// @param call time of a call
/// @param task time of a task, and the longest that its result is kept
/// @param answer time in which a client must answer what it is asked; after that the question waits
/// @param idle time after which a session over HTTP ends if its client does nothing
/// @param principal what is stored for one principal
public record McpHostLimits(
    int messageBytes,
    int depth,
    int page,
    int resultBytes,
    int concurrent,
    int queue,
    int tasks,
    int sessions,
    int notifications,
    Duration call,
    Duration task,
    Duration answer,
    Duration idle,
    McpPrincipalLimits principal) {
  private static final McpHostLimits STANDARD =
      new McpHostLimits(
          8 << 20,
          64,
          100,
          4 << 20,
          16,
          64,
          100,
          1_000,
          1_000,
          Duration.ofMinutes(10),
          Duration.ofDays(1),
          Duration.ofMinutes(10),
          Duration.ofMinutes(30),
          McpPrincipalLimits.standard());

  public McpHostLimits {
    positive("messageBytes", messageBytes);
    positive("depth", depth);
    positive("page", page);
    positive("resultBytes", resultBytes);
    positive("concurrent", concurrent);
    positive("queue", queue);
    positive("tasks", tasks);
    positive("sessions", sessions);
    positive("notifications", notifications);
    positive("call", call);
    positive("task", task);
    positive("answer", answer);
    positive("idle", idle);
  }

  /// Messages of 8 MiB and results of 4 MiB, 16 requests of a session at once and 64 that wait, 100
  /// tasks at once, ten minutes for a call and for an answer, a day for a task.
  public static McpHostLimits standard() {
    return STANDARD;
  }

  /// With other sizes of messages and results, in bytes.
  public McpHostLimits withSizes(int message, int nesting, int result) {
    return new McpHostLimits(
        message,
        nesting,
        page,
        result,
        concurrent,
        queue,
        tasks,
        sessions,
        notifications,
        call,
        task,
        answer,
        idle,
        principal);
  }

  /// With other sizes of pages of lists.
  public McpHostLimits withPage(int entries) {
    return new McpHostLimits(
        messageBytes,
        depth,
        entries,
        resultBytes,
        concurrent,
        queue,
        tasks,
        sessions,
        notifications,
        call,
        task,
        answer,
        idle,
        principal);
  }

  /// With other numbers of requests of a session.
  public McpHostLimits withRequests(int atOnce, int waiting) {
    return new McpHostLimits(
        messageBytes,
        depth,
        page,
        resultBytes,
        atOnce,
        waiting,
        tasks,
        sessions,
        notifications,
        call,
        task,
        answer,
        idle,
        principal);
  }

  /// With other numbers of tasks and sessions of all clients.
  public McpHostLimits withTasks(int atOnce, int clients) {
    return new McpHostLimits(
        messageBytes,
        depth,
        page,
        resultBytes,
        concurrent,
        queue,
        atOnce,
        clients,
        notifications,
        call,
        task,
        answer,
        idle,
        principal);
  }

  /// With other times.
  ///
  /// @param ofAnswer the most that a client may take to answer a question
  public McpHostLimits withTimes(Duration ofCall, Duration ofTask, Duration ofAnswer) {
    return new McpHostLimits(
        messageBytes,
        depth,
        page,
        resultBytes,
        concurrent,
        queue,
        tasks,
        sessions,
        notifications,
        ofCall,
        ofTask,
        ofAnswer,
        idle,
        principal);
  }

  /// With another time of sessions whose clients do nothing.
  public McpHostLimits withIdle(Duration most) {
    return new McpHostLimits(
        messageBytes,
        depth,
        page,
        resultBytes,
        concurrent,
        queue,
        tasks,
        sessions,
        notifications,
        call,
        task,
        answer,
        most,
        principal);
  }

  /// With other limits of what is stored for one principal.
  public McpHostLimits withPrincipal(McpPrincipalLimits each) {
    return new McpHostLimits(
        messageBytes,
        depth,
        page,
        resultBytes,
        concurrent,
        queue,
        tasks,
        sessions,
        notifications,
        call,
        task,
        answer,
        idle,
        each);
  }

  private static void positive(String name, int value) {
    if (value < 1) throw new IllegalArgumentException(name + " must be at least 1, was " + value);
  }

  private static void positive(String name, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(name + " must be positive, was " + value);
    }
  }
}
