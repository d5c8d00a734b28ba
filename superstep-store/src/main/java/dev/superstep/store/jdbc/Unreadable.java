package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Lineage;

/// Something in the file is not what this program wrote. The message is a sentence without a full
/// stop that says where.
final class Unreadable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isDamage;

  /// Of what is whole, but not for this program.
  Unreadable(String message) {
    this(message, new IllegalStateException(message));
  }

  Unreadable(String message, Throwable cause) {
    this(message, cause, false);
  }

  private Unreadable(String message, Throwable cause, boolean isDamage) {
    super(message, cause);
    this.isDamage = isDamage;
  }

  /// Of what was changed, or lost, since it was written.
  static Unreadable damaged(String message) {
    return new Unreadable(message, new IllegalStateException(message), true);
  }

  /// Whether what was saved is not what is there.
  boolean isDamage() {
    return isDamage;
  }

  static Unreadable head(Lineage lineage) {
    return damaged("the newest checkpoint of thread `%s` is missing".formatted(lineage.thread()));
  }

  static Unreadable entry(String thread, long offset, RuntimeException why) {
    return new Unreadable(
        "entry %d of the journal of thread `%s` cannot be read: %s"
            .formatted(offset, thread, clause(why)),
        why,
        isDamage(why));
  }

  static Unreadable checkpoint(Lineage lineage, String id, RuntimeException why) {
    return new Unreadable(
        "checkpoint `%s` of thread `%s` cannot be read: %s"
            .formatted(id, lineage.thread(), clause(why)),
        why,
        isDamage(why));
  }

  private static boolean isDamage(RuntimeException why) {
    return !(why instanceof Unreadable known) || known.isDamage();
  }

  private static String clause(RuntimeException why) {
    var message = String.valueOf(why.getMessage());
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }
}
