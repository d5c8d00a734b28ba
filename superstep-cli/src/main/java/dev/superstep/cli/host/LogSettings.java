package dev.superstep.cli.host;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;

/// The settings of logging, which the JDK asks for at the first message: to set a level would load
/// all of logging at each start. Libraries log what they find interesting; only what is wrong
/// belongs on a user's terminal.
public final class LogSettings {
  private static final String TEXT =
      """
      handlers = java.util.logging.ConsoleHandler
      .level = WARNING
      """;

  /// Called by the JDK.
  public LogSettings() throws IOException {
    LogManager.getLogManager()
        .readConfiguration(new ByteArrayInputStream(TEXT.getBytes(StandardCharsets.ISO_8859_1)));
  }

  /// Has the JDK ask for these settings, unless the user has named others.
  public static void install() {
    if (System.getProperty("java.util.logging.config.file") != null) return;
    if (System.getProperty("java.util.logging.config.class") != null) return;
    System.setProperty("java.util.logging.config.class", LogSettings.class.getName());
  }
}
