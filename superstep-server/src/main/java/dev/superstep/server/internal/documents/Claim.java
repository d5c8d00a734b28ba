package dev.superstep.server.internal.documents;

/// The right of a worker to work on a run, until another one takes it over. Immutable.
///
/// @param attempt counts the workers that the run has had, from 1
public record Claim(String run, String thread, String worker, int attempt) {}
