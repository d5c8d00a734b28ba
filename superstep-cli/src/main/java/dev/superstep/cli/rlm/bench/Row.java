package dev.superstep.cli.rlm.bench;

import java.util.List;

/// A line of the table: the means of trials that differ in their seed alone. Immutable.
///
/// @param size characters of the text
/// @param score from 0 to 1
/// @param peak the most characters of a prompt of the root
/// @param overWindow trials that were too long for the model; they count as wrong
/// @param failed trials that ended otherwise without an answer; they count as wrong
/// @param error of the first of them
record Row(
    String suite,
    long size,
    String way,
    int trials,
    double score,
    double turns,
    double calls,
    double sent,
    long peak,
    double ms,
    long heapBytes,
    int overWindow,
    int failed,
    String error) {

  static Row of(String suite, long size, Way way, List<Trial.Outcome> all) {
    var mean = new Means(all);
    return new Row(
        suite,
        size,
        way.title(),
        all.size(),
        mean.of(Trial.Outcome::score),
        mean.of(Trial.Outcome::turns),
        mean.of(Trial.Outcome::calls),
        mean.of(Trial.Outcome::sent),
        all.stream().mapToLong(Trial.Outcome::peak).max().orElse(0),
        mean.of(Trial.Outcome::ms),
        all.stream().mapToLong(Trial.Outcome::heap).max().orElse(0),
        mean.many(Trial.End.OVER_THE_WINDOW),
        mean.many(Trial.End.FAILED),
        all.stream()
            .map(Trial.Outcome::error)
            .map(error -> error.replaceAll("\\s+", " "))
            .filter(e -> !e.isEmpty())
            .findFirst()
            .orElse(""));
  }

  private record Means(List<Trial.Outcome> all) {
    double of(java.util.function.ToDoubleFunction<Trial.Outcome> what) {
      return all.stream().mapToDouble(what).average().orElse(0);
    }

    int many(Trial.End end) {
      return (int) all.stream().filter(each -> each.end() == end).count();
    }
  }
}
