package dev.superstep.event;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Where and when an event happened.
///
/// @param run one invocation or resumption
/// @param thread the thread, if the run is kept
/// @param sequence counts the events of the run from 1, without gaps
/// @param step the superstep, from 1; 0 before the first
/// @param labels what the caller attached to all events of the run
public record Origin(
    String run,
    Optional<String> thread,
    String graph,
    long sequence,
    Instant at,
    int step,
    Map<String, String> labels) {}
