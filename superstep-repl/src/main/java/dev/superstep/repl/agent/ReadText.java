package dev.superstep.repl.agent;

import dev.superstep.repl.host.TextSource;

/// A text that knows whether anything of it was read. For one session.
final class ReadText implements TextSource {
  private final TextSource text;
  private volatile boolean wasRead;

  ReadText(TextSource text) {
    this.text = text;
  }

  boolean wasRead() {
    return wasRead;
  }

  @Override
  public long length() {
    return text.length();
  }

  @Override
  public String read(long from, long to) {
    wasRead = true;
    return text.read(from, to);
  }
}
