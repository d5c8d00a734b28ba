package dev.superstep.language.json;

/// The failure of reading a text that is not JSON.
public final class InvalidJson extends RuntimeException {
  private static final long serialVersionUID = 1;

  public InvalidJson(String message) {
    super(message);
  }
}
