package dev.superstep.middleware;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds something in texts that not everybody may see, for [Redacting]. [Pii] and [Secrets] have
/// many. Immutable, safe for many threads.
public final class Detector {
  private final String name;
  private final Finder finder;

  /// A place in a text.
  ///
  /// @param to after its last character
  record Span(int from, int to) {}

  /// Finds places, in any order.
  @FunctionalInterface
  interface Finder {
    List<Span> in(String text);

    /// Where the end of a text begins that may become a find with what follows, if that can have
    /// blanks in it; else the length of the text.
    default int openFrom(String text) {
      return text.length();
    }
  }

  private Detector(String name, Finder finder) {
    this.name = name;
    this.finder = finder;
  }

  /// A detector for the matches of a regular expression. A pattern that takes too long on a text
  /// fails the agent with [PatternTooSlow] instead of delaying it.
  ///
  /// @param name what is found, for events and in place of what is found, such as `order number`
  public static Detector matching(String name, String regex) {
    var pattern = Pattern.compile(regex);
    return of(name, text -> all(name, pattern, 0, text));
  }

  static Detector of(String name, Finder finder) {
    return new Detector(SettingChecks.notBlank("name", name), finder);
  }

  /// The name of the things that it detects.
  public String name() {
    return name;
  }

  List<Span> in(String text) {
    return finder.in(text);
  }

  int openFrom(String text) {
    return finder.openFrom(text);
  }

  /// All matches of a pattern, within a number of steps that grows with the text only.
  ///
  /// @param group the part of a match that counts
  static List<Span> all(String name, Pattern pattern, int group, String text) {
    var found = new ArrayList<Span>();
    try {
      var matcher = matcher(pattern, text, name);
      while (matcher.find()) {
        if (matcher.end(group) > matcher.start(group)) {
          found.add(new Span(matcher.start(group), matcher.end(group)));
        }
      }
    } catch (StackOverflowError e) {
      throw new PatternTooSlow(name, text.length(), e);
    }
    return found;
  }

  static Matcher matcher(Pattern pattern, String text, String name) {
    return pattern.matcher(new Counted(text, 0, text.length(), new Steps(name, text.length())));
  }

  /// The number of times that a pattern may still look at a character.
  private static final class Steps {
    private static final long FREE = 20_000;
    private static final long PER_CHARACTER = 500;

    private final String name;
    private final int length;
    private long left;

    Steps(String name, int length) {
      this.name = name;
      this.length = length;
      this.left = FREE + PER_CHARACTER * length;
    }

    void consume() {
      if (--left < 0) throw new PatternTooSlow(name, length, null);
    }
  }

  /// A text that counts how often somebody looks at it.
  private record Counted(String text, int from, int to, Steps steps) implements CharSequence {
    @Override
    public int length() {
      return to - from;
    }

    @Override
    public char charAt(int index) {
      steps.consume();
      return text.charAt(from + index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Counted(text, from + start, from + end, steps);
    }

    @Override
    public String toString() {
      return text.substring(from, to);
    }
  }

  @Override
  public String toString() {
    return "Detector[" + name + "]";
  }
}
