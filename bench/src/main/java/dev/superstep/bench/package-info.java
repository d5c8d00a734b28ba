/// The benchmark suite: runs Superstep, its peers and the hand-written limit side by side and tells
/// how they compare. Start at [dev.superstep.bench.Main] and [dev.superstep.bench.Plan].
@org.jspecify.annotations.NullMarked
package dev.superstep.bench;
