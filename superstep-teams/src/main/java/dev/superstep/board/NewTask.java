package dev.superstep.board;

import java.util.Optional;

/// A task to add to a board. Immutable; each method returns a changed copy.
///
/// ```java
/// board.add(NewTask.of("Write the notes").details("For version 2.").submitted());
/// ```
///
/// @param key if the board already has a task with this key, that one is used and none is added
/// @param submit whether it is [Board#submit]ted at once
public record NewTask(String title, String details, Optional<String> key, boolean submit) {
  /// The maximum length of a title, in characters.
  public static final int TITLE_MAX = 200;

  /// The maximum length of the details, in characters.
  public static final int DETAILS_MAX = 2_000;

  /// The maximum length of a key, in characters.
  public static final int KEY_MAX = 200;

  public NewTask {
    if (title.isBlank()) throw new IllegalArgumentException("title must not be blank");
    BoardTextLimits.atMost("title", title, TITLE_MAX);
    BoardTextLimits.atMost("details", details, DETAILS_MAX);
    key.ifPresent(given -> BoardTextLimits.atMost("key", given, KEY_MAX));
  }

  /// A task with this title.
  public static NewTask of(String title) {
    return new NewTask(title, "", Optional.empty(), false);
  }

  /// Sets a longer description of the work.
  public NewTask details(String text) {
    return new NewTask(title, text, key, submit);
  }

  /// The author's own name for it: who adds it again, such as after a crash, adds nothing.
  public NewTask key(String name) {
    return new NewTask(title, details, Optional.of(name), submit);
  }

  /// It is ready for work as soon as it is added, or waits for approval if it needs that.
  public NewTask submitted() {
    return new NewTask(title, details, key, true);
  }
}
