package dev.superstep.eval;

/// A trial that has no result yet. Immutable.
///
/// @param item the id of the case
/// @param repeat counted from 1
/// @param reason why, for people
public record MissingTrial(String item, int repeat, String reason) {}
