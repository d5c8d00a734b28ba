package dev.superstep.terminal.shell;

import dev.superstep.language.Span;
import java.util.Arrays;
import java.util.List;

/// Text that was put together from parts of a source, with the place of each `char`: the value of a
/// quoted word, or several words joined by spaces. Immutable.
public final class MappedText {
  private final String text;
  private final int[] starts;
  private final int[] ends;

  private MappedText(String text, int[] starts, int[] ends) {
    this.text = text;
    this.starts = starts;
    this.ends = ends;
  }

  /// A whole source, each `char` at its own place.
  public static MappedText of(String text) {
    var starts = new int[text.length()];
    var ends = new int[text.length()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = i;
      ends[i] = i + 1;
    }
    return new MappedText(text, starts, ends);
  }

  /// Text that stands for a place. If both are of the same length, each `char` has its own.
  public static MappedText of(String text, Span span) {
    int length = text.length();
    boolean isExact = length == span.length();
    var starts = new int[length];
    var ends = new int[length];
    for (int i = 0; i < length; i++) {
      starts[i] = isExact ? span.start() + i : span.start();
      ends[i] = isExact ? span.start() + i + 1 : span.end();
    }
    return new MappedText(text, starts, ends);
  }

  public String text() {
    return text;
  }

  public int length() {
    return text.length();
  }

  /// The place in the source of a part of this text.
  public Span span(int from, int to) {
    if (text.isEmpty()) return Span.BEGINNING;
    int start = from < starts.length ? starts[from] : ends[ends.length - 1];
    int end = to > from ? ends[Math.min(to, ends.length) - 1] : start;
    return new Span(Math.min(start, end), Math.max(start, end));
  }

  /// A part of this text.
  public MappedText part(int from, int to) {
    return new MappedText(
        text.substring(from, to),
        Arrays.copyOfRange(starts, from, to),
        Arrays.copyOfRange(ends, from, to));
  }

  /// Other text of the same length as a list of places in this one.
  MappedText pick(String picked, int[] places) {
    var pickedStarts = new int[places.length];
    var pickedEnds = new int[places.length];
    for (int i = 0; i < places.length; i++) {
      pickedStarts[i] = starts[places[i]];
      pickedEnds[i] = ends[places[i]];
    }
    return new MappedText(picked, pickedStarts, pickedEnds);
  }

  /// Texts one behind the other, in a time that grows evenly with them.
  public static MappedText joined(List<MappedText> texts) {
    int length = texts.stream().mapToInt(MappedText::length).sum();
    var text = new StringBuilder(length);
    var starts = new int[length];
    var ends = new int[length];
    int at = 0;
    for (var each : texts) {
      text.append(each.text);
      System.arraycopy(each.starts, 0, starts, at, each.starts.length);
      System.arraycopy(each.ends, 0, ends, at, each.ends.length);
      at += each.length();
    }
    return new MappedText(text.toString(), starts, ends);
  }

  /// This text with another one behind it.
  public MappedText append(MappedText next) {
    var joinedStarts = Arrays.copyOf(starts, starts.length + next.starts.length);
    var joinedEnds = Arrays.copyOf(ends, ends.length + next.ends.length);
    System.arraycopy(next.starts, 0, joinedStarts, starts.length, next.starts.length);
    System.arraycopy(next.ends, 0, joinedEnds, ends.length, next.ends.length);
    return new MappedText(text + next.text, joinedStarts, joinedEnds);
  }

  @Override
  public String toString() {
    return text;
  }
}
