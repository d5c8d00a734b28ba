package dev.superstep.catalog;

import java.math.BigDecimal;
import java.util.List;

/// A price per million tokens, which may depend on how long the prompt is. Immutable.
///
/// @param base for prompts that no tier is for
/// @param tiers for longer prompts, in ascending order; the last that is reached counts for all
///   tokens of the call
public record Rate(BigDecimal base, List<Tier> tiers) {
  private static final int MILLION = 6;

  public Rate {
    tiers = List.copyOf(tiers);
  }

  /// The price for prompts of more than `over` tokens.
  public record Tier(long over, BigDecimal price) {}

  /// A rate that is equal for all prompts.
  public static Rate of(String price) {
    return new Rate(new BigDecimal(price), List.of());
  }

  /// Reads `base` or `base over:price over:price`.
  ///
  /// @throws NumberFormatException if it is something else
  static Rate parse(String text) {
    var parts = List.of(text.split(" "));
    var tiers =
        parts.stream()
            .skip(1)
            .map(part -> {
              int colon = part.indexOf(':');
              if (colon < 1) throw new NumberFormatException("no colon in " + part);
              var price = new BigDecimal(part.substring(colon + 1));
              return new Tier(Long.parseLong(part.substring(0, colon)), price);
            })
            .toList();
    return new Rate(new BigDecimal(parts.getFirst()), tiers);
  }

  /// As [#parse] reads it.
  String text() {
    var text = new StringBuilder(base.toPlainString());
    for (var tier : tiers) {
      text.append(' ').append(tier.over).append(':').append(tier.price.toPlainString());
    }
    return text.toString();
  }

  /// The price of some tokens of a call with a prompt of `prompt` tokens. Exact.
  BigDecimal cost(long tokens, long prompt) {
    var price = base;
    for (var tier : tiers) if (prompt > tier.over) price = tier.price;
    return price.multiply(BigDecimal.valueOf(tokens)).movePointLeft(MILLION);
  }
}
