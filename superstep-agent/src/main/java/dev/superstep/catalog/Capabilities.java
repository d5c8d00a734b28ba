package dev.superstep.catalog;

import dev.superstep.model.Capability;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// The known capabilities of a model: those that it has and those that it lacks. All others are
/// unknown. Immutable.
public record Capabilities(Set<Capability> has, Set<Capability> lacks) {
  /// Nothing is known.
  public static final Capabilities UNKNOWN = new Capabilities(Set.of(), Set.of());

  public Capabilities {
    has = sorted(has);
    lacks = sorted(lacks);
  }

  /// A model with these capabilities; of the others nothing is known.
  public static Capabilities of(Capability... has) {
    return new Capabilities(Set.of(has), Set.of());
  }

  /// The support for a capability, as far as it is known.
  public Support supports(Capability capability) {
    if (has.contains(capability)) return Support.YES;
    return lacks.contains(capability) ? Support.NO : Support.UNKNOWN;
  }

  /// Returns a copy in which the given capabilities replace those here.
  public Capabilities correctedBy(Capabilities better) {
    var newHas = EnumSet.noneOf(Capability.class);
    newHas.addAll(has);
    newHas.removeAll(better.lacks);
    newHas.addAll(better.has);
    var newLacks = EnumSet.noneOf(Capability.class);
    newLacks.addAll(lacks);
    newLacks.removeAll(better.has);
    newLacks.addAll(better.lacks);
    return new Capabilities(newHas, newLacks);
  }

  private static Set<Capability> sorted(Set<Capability> capabilities) {
    var sorted = EnumSet.noneOf(Capability.class);
    sorted.addAll(capabilities);
    return Collections.unmodifiableSet(sorted);
  }
}
