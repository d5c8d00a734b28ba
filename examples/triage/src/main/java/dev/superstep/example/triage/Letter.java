package dev.superstep.example.triage;

import java.util.regex.Pattern;

/// One message as it came. Nothing in it is trusted.
///
/// @param text what stands below the headers
/// @param whole the file, with whatever looked like headers
record Letter(Heading heading, String text, String whole) {
  /// How much of a message the model reads, in characters. The rules read all of it.
  static final int READ_MAX = 2_000;

  // Only what mail really has: a first line such as "Hello: pay me" is text.
  private static final Pattern HEADERS =
      Pattern.compile(
          """
          (?ix) \\A (?: (?: From | To | Cc | Bcc | Subject | Date | Reply-To | Sender | Message-ID
          | X-[a-z-]{1,40} ) : .* \\R )++ \\R?\
          """);
  private static final Pattern SENDER = Pattern.compile("(?mi)^From:(.+)$");
  private static final Pattern SUBJECT = Pattern.compile("(?mi)^Subject:(.+)$");

  /// Takes the headers off, if the text begins with some.
  static Letter parse(String file, String content) {
    var headers = HEADERS.matcher(content);
    int start = headers.lookingAt() ? headers.end() : 0;
    var head = content.substring(0, start);
    var text = content.substring(start).strip();
    var sender = first(SENDER, head);
    var subject = first(SUBJECT, head);
    var heading =
        new Heading(
            file, cut(sender, READ_MAX), cut(subject, READ_MAX), subject.length() + text.length());
    return new Letter(heading, text, content);
  }

  /// What the model reads besides the subject: the beginning.
  String beginning() {
    return cut(text, READ_MAX - heading.subject().length());
  }

  /// Never leaves half of a surrogate pair.
  private static String cut(String text, int max) {
    if (text.length() <= max) return text;
    boolean halves = max > 0 && Character.isHighSurrogate(text.charAt(max - 1));
    return text.substring(0, halves ? max - 1 : max);
  }

  private static String first(Pattern pattern, String head) {
    var found = pattern.matcher(head);
    return found.find() ? found.group(1).strip() : "";
  }
}
