package dev.superstep.store.jdbc.sql;

import dev.superstep.checkpoint.Lineage;

/// Thrown when the store holds something that this program did not write. The message is a sentence
/// without a full stop that says where.
public final class UnreadableData extends RuntimeException {
  private final boolean isDamage;

  /// Creates an exception about intact data that this program cannot read.
  public UnreadableData(String message) {
    this(message, new IllegalStateException(message));
  }

  public UnreadableData(String message, Throwable cause) {
    this(message, cause, false);
  }

  private UnreadableData(String message, Throwable cause, boolean isDamage) {
    super(message, cause);
    this.isDamage = isDamage;
  }

  /// Creates an exception about data that was changed or lost after it was written.
  public static UnreadableData damaged(String message) {
    return new UnreadableData(message, new IllegalStateException(message), true);
  }

  /// Returns true if stored data was changed or lost.
  public boolean isDamage() {
    return isDamage;
  }

  public static UnreadableData head(Lineage lineage) {
    return damaged("the newest checkpoint of thread `%s` is missing".formatted(lineage.thread()));
  }

  public static UnreadableData entry(String thread, long offset, RuntimeException why) {
    return new UnreadableData(
        "entry %d of the journal of thread `%s` cannot be read: %s"
            .formatted(offset, thread, clause(why)),
        why,
        isDamage(why));
  }

  public static UnreadableData checkpoint(Lineage lineage, String id, RuntimeException why) {
    return new UnreadableData(
        "checkpoint `%s` of thread `%s` cannot be read: %s"
            .formatted(id, lineage.thread(), clause(why)),
        why,
        isDamage(why));
  }

  private static boolean isDamage(RuntimeException why) {
    return !(why instanceof UnreadableData known) || known.isDamage();
  }

  private static String clause(RuntimeException why) {
    var message = String.valueOf(why.getMessage());
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }
}
