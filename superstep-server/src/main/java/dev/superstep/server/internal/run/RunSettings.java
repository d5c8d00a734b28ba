package dev.superstep.server.internal.run;

import java.time.Duration;

/// The settings of the workers of a process. Immutable.
///
/// @param concurrency the most runs at work at once
/// @param lease how long a run stays with a process that does not renew it
public record RunSettings(int concurrency, Duration lease) {}
