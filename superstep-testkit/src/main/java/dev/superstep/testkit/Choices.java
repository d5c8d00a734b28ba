package dev.superstep.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// The choices of which a [Gen] makes a value. Smaller numbers, earlier options and shorter lists
/// count as simpler: a counterexample is shrunk towards them. One thread at a time.
public final class Choices {
  private final SplittableRandom random;
  private final List<Integer> given;
  private final boolean isReplay;
  private final List<Integer> made = new ArrayList<>();

  private Choices(SplittableRandom random, List<Integer> given, boolean isReplay) {
    this.random = random;
    this.given = given;
    this.isReplay = isReplay;
  }

  static Choices random(long seed) {
    return new Choices(new SplittableRandom(seed), List.of(), false);
  }

  /// The given choices again; where there are no more, the simplest.
  static Choices replay(List<Integer> given) {
    return new Choices(new SplittableRandom(0), given, true);
  }

  /// A number from 0 to `bound`, which is excluded.
  public int below(int bound) {
    if (bound < 1) throw new IllegalArgumentException("bound must be at least 1, was " + bound);
    int choice = isReplay ? next(bound) : random.nextInt(bound);
    made.add(choice);
    return choice;
  }

  /// A number from `least` to `most`, both included.
  public int between(int least, int most) {
    return least + below(Math.addExact(Math.subtractExact(most, least), 1));
  }

  /// True with about this many percent; false is simpler.
  public boolean chance(int percent) {
    return below(100) >= 100 - percent;
  }

  /// Picks one of these.
  @SafeVarargs
  public final <T> T of(T... options) {
    return options[below(options.length)];
  }

  /// Picks one element of a list.
  public <T> T of(List<T> options) {
    return options.get(below(options.size()));
  }

  /// A list of at most `most` values.
  public <T> List<T> list(int most, Gen<T> each) {
    var list = new ArrayList<T>();
    // An end after each item, and not a size up front: so that one item can be cut out.
    while (list.size() < most && below(most + 1) != 0) list.add(each.draw(this));
    return list;
  }

  List<Integer> made() {
    return List.copyOf(made);
  }

  private int next(int bound) {
    return made.size() < given.size() ? Math.min(given.get(made.size()), bound - 1) : 0;
  }
}
