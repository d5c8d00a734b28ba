package dev.superstep.language.check;

/// Placeholder of this commit.
final class Blueprints {
  private Blueprints() {}
}
