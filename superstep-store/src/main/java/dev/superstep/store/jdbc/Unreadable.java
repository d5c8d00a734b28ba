package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Lineage;

/// Something in the file is not what this program wrote. The message is a sentence without a full
/// stop that says where.
final class Unreadable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Unreadable(String message) {
    this(message, new IllegalStateException(message));
  }

  Unreadable(String message, Throwable cause) {
    super(message, cause);
  }

  static Unreadable head(Lineage lineage) {
    return new Unreadable(
        "the newest checkpoint of thread `%s` is missing".formatted(lineage.thread()));
  }

  static Unreadable journal(String thread, RuntimeException why) {
    return new Unreadable(
        "the journal of thread `%s` cannot be read: %s".formatted(thread, clause(why)), why);
  }

  static Unreadable checkpoint(Lineage lineage, String id, RuntimeException why) {
    return new Unreadable(
        "checkpoint `%s` of thread `%s` cannot be read: %s"
            .formatted(id, lineage.thread(), clause(why)),
        why);
  }

  private static String clause(RuntimeException why) {
    var message = String.valueOf(why.getMessage());
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }
}
