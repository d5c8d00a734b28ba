package dev.superstep.json;

/// A name that a store could not keep apart from others: it has half of a character, or one that
/// some store cannot hold.
public final class InvalidName extends SuperstepException {
  private final String what;
  private final String name;

  private InvalidName(String what, String name, int at) {
    super(
        "name.invalid",
        "%s `%s` has an unpaired surrogate or a control character, U+%04X, at %d. Leave it out."
            .formatted(what, quote(name), (int) name.charAt(at), at));
    this.what = what;
    this.name = quote(name);
  }

  private static String quote(String name) {
    return name.replaceAll("[\\p{Cc}\\p{Cs}]", "\uFFFD");
  }

  /// The kind of thing that was to have the name.
  public String what() {
    return what;
  }

  /// The name, with U+FFFD for what cannot be shown.
  public String name() {
    return name;
  }

  /// A name as it is, if every store keeps it apart from all others.
  ///
  /// @param what the kind of thing that it names, with a capital letter
  /// @throws InvalidName if it has an unpaired surrogate or a control character
  public static String check(String what, String name) {
    // Not as a stream: a thread is named for each use of it, and again within one.
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < name.length()
          && Character.isLowSurrogate(name.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c) || Character.isISOControl(c)) {
        throw new InvalidName(what, name, i);
      }
    }
    return name;
  }
}
