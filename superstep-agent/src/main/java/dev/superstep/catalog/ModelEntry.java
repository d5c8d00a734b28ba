package dev.superstep.catalog;

import dev.superstep.model.ModelProfile;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The knowledge of the catalogue about a model of a provider. Immutable.
///
/// @param names which other names it stands for, each a rule: `=` equals, `^` starts with, `$` ends
///   with, `*` contains (all without regard to case) or `~` a regular expression; rules joined by `
///   & ` must all hold. Its id is always a name of it
/// @param status empty if unknown
/// @param contextWindow in tokens; empty if unknown
/// @param maxOutputTokens empty if unknown
/// @param pricing empty if unknown, which is not the same as free
public record ModelEntry(
    String provider,
    String id,
    List<String> names,
    Optional<ModelStatus> status,
    OptionalInt contextWindow,
    OptionalInt maxOutputTokens,
    Capabilities capabilities,
    Optional<Pricing> pricing,
    Provenance provenance) {
  /// The id of an entry for all models of a provider that have none of their own.
  static final String ALL = "*";

  public ModelEntry {
    names = List.copyOf(names);
  }

  /// The entry as the profile of a model.
  public ModelProfile profile() {
    return new ModelProfile(
        capabilities.has(), capabilities.lacks(), some(contextWindow), some(maxOutputTokens));
  }

  private static OptionalLong some(OptionalInt tokens) {
    return tokens.isPresent() ? OptionalLong.of(tokens.getAsInt()) : OptionalLong.empty();
  }

  boolean isForAll() {
    return id.equals(ALL);
  }

  ModelEntry withNames(List<String> others) {
    return new ModelEntry(
        provider,
        id,
        others,
        status,
        contextWindow,
        maxOutputTokens,
        capabilities,
        pricing,
        provenance);
  }
}
