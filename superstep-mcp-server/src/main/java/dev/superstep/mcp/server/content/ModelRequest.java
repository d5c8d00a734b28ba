package dev.superstep.mcp.server.content;

/// A request to the model of a client. Immutable.
///
/// @param text of the user
/// @param instructions for the model; may be empty
/// @param maxTokens of the answer
public record ModelRequest(String text, String instructions, int maxTokens) {
  public ModelRequest {
    if (maxTokens < 1) {
      throw new IllegalArgumentException("maxTokens must be at least 1, was " + maxTokens);
    }
  }

  /// A request without instructions.
  public static ModelRequest of(String text, int maxTokens) {
    return new ModelRequest(text, "", maxTokens);
  }
}
