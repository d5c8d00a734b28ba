package dev.superstep.bench.measure;

import java.util.List;

/// One case of a workload, such as `memory-1000` of W3. Immutable.
///
/// @param name words and numbers, separated by hyphens
/// @param repetitions how often to measure after the warm-up, where once is not much
public record Case(String workload, String name, int repetitions) {
  /// The first word, which says what kind of case it is.
  public String kind() {
    return parts().getFirst();
  }

  /// A number of the name; the first one after the kind is 1.
  public int number(int place) {
    return Integer.parseInt(parts().get(place));
  }

  private List<String> parts() {
    return List.of(name.split("-"));
  }
}
