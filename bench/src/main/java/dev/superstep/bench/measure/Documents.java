package dev.superstep.bench.measure;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/// W13: the documents that a run writes, made before it begins: what is measured is keeping them.
/// Immutable.
///
/// @param inputs what each channel holds at first
/// @param changes what steps write, in turn
public record Documents<T>(List<T> inputs, List<T> changes) {
  /// The number of channels.
  public static final int CHANNELS = 10;

  private static final int CHANGES = 4 * CHANNELS;

  public Documents {
    inputs = List.copyOf(inputs);
    changes = List.copyOf(changes);
  }

  /// Makes them in the form of a system.
  ///
  /// @param sections how large they are, in steps of some 600 bytes
  public static <T> Documents<T> of(int sections, Function<Document, T> form) {
    return new Documents<>(
        IntStream.range(0, CHANNELS).mapToObj(i -> form.apply(Document.of(i, sections))).toList(),
        IntStream.range(0, CHANGES)
            .mapToObj(i -> form.apply(Document.of(CHANNELS + i, sections)))
            .toList());
  }

  /// The document that a step writes.
  public T change(int step) {
    return changes.get(step % CHANGES);
  }

  /// The number of the channel that a step writes to.
  public static int channel(int step) {
    return step % CHANNELS;
  }

  /// What the first channel holds after so many steps.
  public T last(int steps) {
    return change((steps - 1) / CHANNELS * CHANNELS);
  }
}
