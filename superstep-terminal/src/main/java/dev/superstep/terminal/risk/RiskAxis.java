package dev.superstep.terminal.risk;

/// The kinds of harm that a finding is about.
public enum RiskAxis {
  DESTROYS("destroys"),
  OVERWRITES("overwrites"),
  PRIVILEGE("privilege"),
  PERSISTENCE("persistence"),
  NETWORK_OUT("network-out"),
  READS_SECRET("reads-secret"),
  OUTSIDE_WORKSPACE("outside-workspace"),
  SYSTEM("process/system"),
  OPAQUE("opaque"),
  /// The words that came with it may lead a person or a model astray.
  INFLUENCE("influence");

  private final String label;

  RiskAxis(String label) {
    this.label = label;
  }

  /// The name that people and JSON see; stable.
  public String label() {
    return label;
  }
}
