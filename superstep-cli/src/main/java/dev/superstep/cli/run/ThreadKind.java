package dev.superstep.cli.run;

import dev.superstep.checkpoint.Checkpoint;
import java.util.Optional;

/// The kinds of threads that another command than `resume` resumes.
enum ThreadKind {
  CONVERSATION("thread.conversation", "a conversation", " do --resume"),
  CHAT("thread.chat", "a conversation with a plain agent", " chat --thread"),
  CELLS("thread.repl", "a session of cells", " repl --resume"),
  TEXT_QUESTION("thread.rlm", "an answer to a question about a text", " rlm ask --resume");

  private static final String TERMINAL = "terminal";

  private final String code;
  private final String what;
  private final String resume;

  ThreadKind(String code, String what, String resume) {
    this.code = code;
    this.what = what;
    this.resume = resume;
  }

  /// The kind of a thread, by its newest checkpoint; empty if `resume` resumes it.
  static Optional<ThreadKind> of(Checkpoint at) {
    if (at.graph().equals(TERMINAL)) return Optional.of(CONVERSATION);
    if (at.metadata().containsKey(ThreadResumption.CHAT)) return Optional.of(CHAT);
    if (at.metadata().containsKey(ThreadResumption.REPL_ALLOW)) return Optional.of(CELLS);
    if (at.metadata().containsKey(ThreadResumption.RLM_CONTEXT)) return Optional.of(TEXT_QUESTION);
    return Optional.empty();
  }

  /// The code of the error when `resume` is given such a thread.
  String code() {
    return code;
  }

  String what() {
    return what;
  }

  /// The command, and the option that takes the name of the thread.
  String resume() {
    return resume;
  }
}
