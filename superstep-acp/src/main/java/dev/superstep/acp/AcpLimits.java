package dev.superstep.acp;

import java.time.Duration;

/// The most that an editor may send and wait for. Immutable; each method returns a changed copy.
///
/// @param messageBytes of one message of the editor; a longer one is refused
/// @param depth of the nesting of one message
/// @param sessions that are open at once on one connection
/// @param requests of the editor that are at work at once
/// @param asked requests to the editor that it has not answered
/// @param page the sessions of one page of their list
/// @param shownCharacters of one tool result or file that is shown; the rest is left out
/// @param files time in which the editor must answer about a file
/// @param answer time in which a person must answer; after that the question stays stored
/// @param lease time to wait for the thread of a session that another process holds
public record AcpLimits(
    int messageBytes,
    int depth,
    int sessions,
    int requests,
    int asked,
    int page,
    int shownCharacters,
    Duration files,
    Duration answer,
    Duration lease) {
  private static final AcpLimits STANDARD =
      new AcpLimits(
          16 << 20,
          64,
          64,
          64,
          256,
          50,
          200_000,
          Duration.ofSeconds(30),
          Duration.ofDays(1),
          Duration.ofSeconds(30));

  public AcpLimits {
    positive("messageBytes", messageBytes);
    positive("depth", depth);
    positive("sessions", sessions);
    positive("requests", requests);
    positive("asked", asked);
    positive("page", page);
    positive("shownCharacters", shownCharacters);
    positive("files", files);
    positive("answer", answer);
    positive("lease", lease);
  }

  /// Messages of 16 MiB, 64 open sessions, 64 requests at work and 256 unanswered ones, 200,000
  /// characters of a result, half a minute for files and for a thread, a day for an answer.
  public static AcpLimits standard() {
    return STANDARD;
  }

  /// With other sizes.
  ///
  /// @param message the most bytes of a message
  /// @param nesting the most levels of a message
  /// @param shown the most characters of a result that is shown
  public AcpLimits withSizes(int message, int nesting, int shown) {
    return new AcpLimits(
        message, nesting, sessions, requests, asked, page, shown, files, answer, lease);
  }

  /// With other numbers of sessions.
  ///
  /// @param open at once on one connection
  /// @param listed in one page
  public AcpLimits withSessions(int open, int listed) {
    return new AcpLimits(
        messageBytes, depth, open, requests, asked, listed, shownCharacters, files, answer, lease);
  }

  /// With other numbers of requests.
  ///
  /// @param atWork requests of the editor at once
  /// @param unanswered requests to the editor
  public AcpLimits withRequests(int atWork, int unanswered) {
    return new AcpLimits(
        messageBytes,
        depth,
        sessions,
        atWork,
        unanswered,
        page,
        shownCharacters,
        files,
        answer,
        lease);
  }

  /// With other times.
  ///
  /// @param ofFiles for an answer of the editor about a file
  /// @param ofAnswer for the answer of a person
  /// @param ofLease to wait for a thread that another process holds
  public AcpLimits withTimes(Duration ofFiles, Duration ofAnswer, Duration ofLease) {
    return new AcpLimits(
        messageBytes,
        depth,
        sessions,
        requests,
        asked,
        page,
        shownCharacters,
        ofFiles,
        ofAnswer,
        ofLease);
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
