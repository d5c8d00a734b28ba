package dev.superstep.example.triage;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The words of a message as a person sees them: on one line, without invisible signs, and a second
/// time in plain letters, without case and accents, where the common Cyrillic and Greek look-alikes
/// are Latin.
///
/// This is no defence against everything: rarer look-alikes, digits for letters (`r3fund`), words
/// that are spaced out (`r e f u n d`), other words and other languages get past.
record Wording(String line, String plain) {
  private static final int AROUND = 40;

  // Format and control signs, and the letters and the symbol that are drawn as nothing.
  private static final Pattern INVISIBLE =
      Pattern.compile("[[\\p{Cf}\\p{Cc}\\u115F\\u1160\\u2800\\u3164]&&[^\\p{IsWhite_Space}]]+");
  private static final Pattern SPACE = Pattern.compile("\\p{IsWhite_Space}+");
  private static final Pattern ACCENT = Pattern.compile("[\\p{Mn}\\p{Me}]+");

  private static final String LOOK_ALIKES = "авеікмноԛрѕтухсԁјԝһӏαβεικνορτυχı";
  private static final String LATIN_LETTER = "abeikmhoqpstyxcdjwhlabeikvoptuxi";

  static Wording of(String text) {
    var composed = Normalizer.normalize(text, Form.NFKC);
    var visible = INVISIBLE.matcher(composed).replaceAll("");
    var line = SPACE.matcher(visible).replaceAll(" ");
    return new Wording(line, plain(line));
  }

  /// Letters without case, accents and look-alikes; fit for a pattern's words too.
  static String plain(String text) {
    var apart = Normalizer.normalize(text.toLowerCase(Locale.ROOT), Form.NFKD);
    var plain = new StringBuilder(ACCENT.matcher(apart).replaceAll(""));
    for (int i = 0; i < plain.length(); i++) {
      int at = LOOK_ALIKES.indexOf(plain.charAt(i));
      if (at >= 0) plain.setCharAt(i, LATIN_LETTER.charAt(at));
    }
    return plain.toString();
  }

  /// The first place where the words stand, with what is around it.
  Optional<String> find(Pattern words, Pattern plainWords) {
    return find(words, line).or(() -> find(plainWords, plain));
  }

  private static Optional<String> find(Pattern words, String text) {
    var found = words.matcher(text);
    if (!found.find()) return Optional.empty();
    int start = Math.max(0, found.start() - AROUND);
    int end = Math.min(text.length(), found.end() + AROUND);
    return Optional.of("…" + Plain.line(text.substring(start, end), end - start) + "…");
  }
}
