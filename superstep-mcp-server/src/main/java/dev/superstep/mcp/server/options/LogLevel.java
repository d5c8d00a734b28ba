package dev.superstep.mcp.server.options;

import java.util.Locale;

/// The importance of a message for the log of a client, from the least.
public enum LogLevel {
  /// Details for developers.
  DEBUG,
  /// The usual course of events.
  INFO,
  /// Unusual, and right.
  NOTICE,
  /// Something that may go wrong.
  WARNING,
  /// Something that went wrong.
  ERROR,
  /// A part that does not work.
  CRITICAL,
  /// Something that a person must do at once.
  ALERT,
  /// Nothing works.
  EMERGENCY;

  /// The name that the protocol has for it.
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
