package dev.superstep.testkit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Checks that something holds for many random values, and finds a simple one for which it does
/// not.
///
/// ```java
/// Property.check(7, 200, choices -> choices.list(10, c -> c.below(100)), numbers -> {
///   assertThat(sorted(sorted(numbers))).isEqualTo(sorted(numbers));
/// });
/// ```
///
/// A failure reports the seed of its case: `check` with this seed and one case runs it again.
public final class Property {
  private static final int SHRINKS_MAX = 3_000;

  private Property() {}

  /// The property of a value; it fails by throwing.
  @FunctionalInterface
  public interface Body<T> {
    /// Fails if it does not hold.
    void holds(T value) throws Exception;
  }

  /// Checks the property for `cases` values, of which each has a seed of its own: `seed`, the next,
  /// and so on.
  ///
  /// @throws AssertionError with the seed and the simplest counterexample found
  public static <T> void check(long seed, int cases, Gen<T> gen, Body<T> body)
      throws InterruptedException {
    for (long at = seed; at < seed + cases; at++) {
      var choices = Choices.random(at);
      var value = gen.draw(choices);
      var failure = failure(body, value);
      if (failure == null) continue;
      var found = new Shrinking<>(gen, body, new Found<>(choices.made(), value, failure)).run();
      var error =
          new AssertionError(
              "It does not hold for seed " + at + ". The simplest case found:\n  " + found.value());
      error.initCause(found.failure());
      throw error;
    }
  }

  private static <T> @Nullable Throwable failure(Body<T> body, T value)
      throws InterruptedException {
    try {
      body.holds(value);
      return null;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | AssertionError | StackOverflowError e) {
      return e;
    }
  }

  private record Found<T>(List<Integer> choices, T value, Throwable failure) {}

  /// Makes the choices of a counterexample fewer and smaller as long as it remains one.
  private static final class Shrinking<T> {
    private final Gen<T> gen;
    private final Body<T> body;
    private Found<T> best;
    private int tries;

    Shrinking(Gen<T> gen, Body<T> body, Found<T> first) {
      this.gen = gen;
      this.body = body;
      this.best = first;
    }

    Found<T> run() throws InterruptedException {
      boolean better = true;
      while (better && tries < SHRINKS_MAX) better = cutOut() || lower();
      return best;
    }

    private boolean cutOut() throws InterruptedException {
      boolean better = false;
      for (int size = 8; size > 0; size /= 2) {
        for (int from = best.choices().size() - size; from >= 0; from--) {
          if (from + size > best.choices().size()) continue;
          var fewer = new ArrayList<>(best.choices());
          fewer.subList(from, from + size).clear();
          better |= tryOut(fewer);
        }
      }
      return better;
    }

    private boolean lower() throws InterruptedException {
      boolean better = false;
      for (int at = 0; at < best.choices().size(); at++) {
        int choice = best.choices().get(at);
        better |= set(at, 0) || set(at, choice / 2) || set(at, choice - 1);
      }
      return better;
    }

    private boolean set(int at, int choice) throws InterruptedException {
      if (at >= best.choices().size()) return false;
      if (choice < 0 || choice >= best.choices().get(at)) return false;
      var lower = new ArrayList<>(best.choices());
      lower.set(at, choice);
      return tryOut(lower);
    }

    private boolean tryOut(List<Integer> given) throws InterruptedException {
      if (tries++ >= SHRINKS_MAX) return false;
      var choices = Choices.replay(given);
      var value = gen.draw(choices);
      if (!isSimpler(choices.made(), best.choices())) return false;
      var failure = failure(body, value);
      if (failure == null) return false;
      best = new Found<>(choices.made(), value, failure);
      return true;
    }

    private static boolean isSimpler(List<Integer> a, List<Integer> b) {
      if (a.size() != b.size()) return a.size() < b.size();
      for (int i = 0; i < a.size(); i++) {
        if (!a.get(i).equals(b.get(i))) return a.get(i) < b.get(i);
      }
      return false;
    }
  }
}
