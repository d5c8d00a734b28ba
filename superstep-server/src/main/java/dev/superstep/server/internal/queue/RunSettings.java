package dev.superstep.server.internal.queue;

import dev.superstep.server.internal.documents.RunQuotas;
import java.time.Duration;

/// The settings of the workers of a process. Immutable.
///
/// @param concurrency the most runs at work at once
/// @param lease how long a run stays with a process that does not renew it
/// @param longest how long a run may take
/// @param keptEvents how long the stream of a run can be read after its end
/// @param quotas the most threads and runs
public record RunSettings(
    int concurrency, Duration lease, Duration longest, Duration keptEvents, RunQuotas quotas) {}
