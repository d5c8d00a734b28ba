package dev.superstep.lobe;

import java.util.List;

/// Who was given a turn in a round, and who was not. Immutable.
///
/// @param number from 1, over the whole thread
/// @param budget what there was to spend
/// @param spent by the lobes that were given a turn
/// @param chosen those lobes, the most important first
/// @param passedOver active lobes for which too little was left, the most important first
public record Round(
    long number, int budget, int spent, List<String> chosen, List<PassedOver> passedOver) {
  static final Round NONE = new Round(0, 0, 0, List.of(), List.of());

  public Round {
    chosen = List.copyOf(chosen);
    passedOver = List.copyOf(passedOver);
  }

  /// A lobe that was not given a turn.
  ///
  /// @param cost what its turn would have taken
  /// @param left what was left
  public record PassedOver(String lobe, int cost, int left) {}
}
