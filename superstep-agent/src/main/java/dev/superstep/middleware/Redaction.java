package dev.superstep.middleware;

/// A replacement for detected text. Immutable.
sealed interface Redaction {
  /// The new text.
  ///
  /// @param what the name of its detector
  String inPlaceOf(String text, String what);

  /// Says what was there.
  record Named() implements Redaction {
    @Override
    public String inPlaceOf(String text, String what) {
      return "[redacted " + what + "]";
    }
  }

  /// Shows the last characters of what is long enough.
  record Masked() implements Redaction {
    private static final int SHOWN = 4;
    private static final int LONG = 12;

    @Override
    public String inPlaceOf(String text, String what) {
      int letters = (int) text.chars().filter(Character::isLetterOrDigit).count();
      int hidden = letters >= LONG ? letters - SHOWN : letters;
      var masked = new StringBuilder(text.length());
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        boolean counts = Character.isLetterOrDigit(c);
        masked.append(counts && hidden > 0 ? '*' : c);
        if (counts) hidden--;
      }
      return masked.toString();
    }
  }

  /// A hash, which is equal for equal texts, so that they can still be told apart.
  record Hashed(String key) implements Redaction {
    private static final int DIGITS = 12;

    @Override
    public String inPlaceOf(String text, String what) {
      return "[" + what + " " + Hashes.keyed(key, text).substring(0, DIGITS) + "]";
    }

    @Override
    public String toString() {
      return "Hashed[]";
    }
  }

  /// Nothing does: the agent fails.
  record Blocked() implements Redaction {
    @Override
    public String inPlaceOf(String text, String what) {
      return "";
    }
  }
}
