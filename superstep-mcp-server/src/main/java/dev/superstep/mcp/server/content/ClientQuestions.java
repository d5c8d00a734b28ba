package dev.superstep.mcp.server.content;

import dev.superstep.node.Question;

/// Questions that the client itself answers, in place of its user. A tool or graph declares and
/// asks them like any other question, so the answer is stored, and a call that continues does not
/// ask again.
///
/// ```java
/// var reply = context.ask(ClientQuestions.MODEL, ModelRequest.of("Sum this up: " + text, 500));
/// ```
///
/// A client without the ability answers in one of these ways: in revision 2026-07-28 the call ends
/// with an error that names the missing ability; in older ones it stays stored, and is answered by
/// the tool for answers.
public final class ClientQuestions {
  /// Asks the model of the client, which may ask its user first.
  public static final Question<ModelRequest, ModelReply> MODEL =
      Question.of("mcp_client_model", ModelRequest.class, ModelReply.class);

  /// Asks for the folders that the user has opened to servers. The payload says why, for logs.
  public static final Question<String, ClientRoots> ROOTS =
      Question.of("mcp_client_roots", String.class, ClientRoots.class);

  private ClientQuestions() {}
}
