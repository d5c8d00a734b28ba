package dev.superstep.tool;

/// An effect of a tool beyond its answer.
public enum SideEffect {
  /// It changes files.
  WRITES_FILES,
  /// It talks to other machines.
  NETWORK,
  /// It installs software.
  INSTALLS,
  /// It may destroy what cannot be made again.
  DESTRUCTIVE,
  /// It changes something in a service of somebody else.
  EXTERNAL_SERVICE,
  /// It moves money.
  PAYMENT
}
