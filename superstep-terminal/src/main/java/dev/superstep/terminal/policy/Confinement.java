package dev.superstep.terminal.policy;

import dev.superstep.sandbox.Tier;

/// How an approved command is to be confined. Immutable.
///
/// @param isReadOnly whether it may not write in the workspace either
/// @param refusesMetadata whether calls that change modes and owners are refused, since the tier
///   does not hold them to the workspace
public record Confinement(Tier tier, boolean isReadOnly, boolean refusesMetadata) {}
