package dev.superstep.board;

import java.util.Optional;

/// What is put on a board. Immutable; each method returns a changed copy.
///
/// ```java
/// board.add(NewTask.of("Write the notes").details("For version 2.").submitted());
/// ```
///
/// @param key if the board has a task with the same key, that one is meant and none is added
/// @param submit whether it is [Board#submit]ted at once
public record NewTask(String title, String details, Optional<String> key, boolean submit) {
  /// How many characters a title may have.
  public static final int TITLE_MAX = 200;

  /// How many characters details may have.
  public static final int DETAILS_MAX = 2_000;

  /// How many characters a key may have.
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

  /// What is to be done, at more length.
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
