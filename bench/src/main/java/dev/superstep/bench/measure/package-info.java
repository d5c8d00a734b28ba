/// What runs in a child process: timing, checking, and telling it as lines of JSON. Uses nothing
/// but the JDK, since the programs of the peers are compiled with it. Start at
/// [dev.superstep.bench.measure.Workload].
@org.jspecify.annotations.NullMarked
package dev.superstep.bench.measure;
